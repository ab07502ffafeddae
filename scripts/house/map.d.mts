/** ARCHITECTURE.md with the map as the folders are now. */
export function withMap(root: string, text: string): string;
