// placeholder
export const trackParts = (): [] => [];
