// Tells the language of a file by its name.

type Language = 'javascript' | 'python' | 'go';

export function findLanguage(path: string): Language | null {
  const ending = /\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^[cm]?[jt]sx?$/.test(ending)) return 'javascript';
  if (/^(?:pyi?|ipynb)$/.test(ending)) return 'python';
  return ending === 'go' ? 'go' : null;
}
