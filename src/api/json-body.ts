// JSON response bodies: read in full, bounded, then checked against their schema.
import type { z } from 'zod';
import { ApiError } from './errors.ts';
import { inspectJson, type PayloadLimits } from './payload-limits.ts';
import { type ApiResponse, readBody } from './response.ts';

export interface BodyLimits extends PayloadLimits {
  bytes: number;
}

/** A page of 100 models has about 200 KB and 10,000 values. */
export const listLimits: BodyLimits = { bytes: 4 * 1024 * 1024, depth: 32, values: 250_000 };
/** One model has about 2 KB. */
export const modelLimits: BodyLimits = { bytes: 256 * 1024, depth: 32, values: 10_000 };
/** The transcript of an hour, with one segment per word, has 1 MB and 50,000 values. */
export const transcriptLimits: BodyLimits = { bytes: 16 * 1024 * 1024, depth: 32, values: 250_000 };
/** A wallet record has seven fields. */
export const walletLimits: BodyLimits = { bytes: 64 * 1024, depth: 32, values: 1_000 };

/** Bodies up to this size aren't inspected: whatever they contain takes no more than a megabyte or two once parsed. */
const HARMLESS_BYTES = 32 * 1024;

/** @throws ApiError `protocol` for anything that doesn't match the schema; it names fields, never their values */
export async function readJson<S extends z.ZodType>(response: ApiResponse, schema: S, limits: BodyLimits): Promise<z.output<S>> {
  const { status, requestId } = response;
  const refuse = (what: string) =>
    new ApiError('protocol', `The voice service answered ${status} with ${what}. Check the base address.`, { status, requestId });
  const bytes = await readBody(response, limits.bytes);
  const problem = bytes.length > HARMLESS_BYTES ? inspectJson(bytes, limits) : null;
  if (problem === 'too-deep') throw refuse(`JSON of more than ${limits.depth} levels`);
  if (problem === 'too-many-values') throw refuse(`JSON of more than ${limits.values} values`);
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(text.trim() === '' ? 'nothing' : text.trimStart().startsWith('<') ? 'a web page' : 'something that is not JSON');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.slice(0, 5).map((issue) => issue.path.join('.') || 'the body');
  throw refuse(`JSON that doesn't match the spec, at: ${fields.join(', ')}`);
}
