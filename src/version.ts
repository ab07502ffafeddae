// The version of this program; the build replaces the word by the version in package.json.
declare const PLIMSOLL_VERSION: string | undefined;

export const VERSION: string = typeof PLIMSOLL_VERSION === 'string' ? PLIMSOLL_VERSION : '0.0.0-source';
