// Computes the SHA-256 of a text or of bytes.
import { createHash } from 'node:crypto';

/** SHA-256 in hexadecimal digits; a text as UTF-8. */
export const hashSha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');
