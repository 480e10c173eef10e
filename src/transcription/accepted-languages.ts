// Which languages the voice service transcribes. Its specification names none, so that is known from the start or learned from its answers.
import type { ApiError } from '../api/index.ts';
import { COMMON_CODES } from '../locales/language-names.ts';

export interface AcceptedLanguages {
  /** BCP 47, to choose from: what is known to be accepted, or else the most used languages without those that were refused. */
  offered(): readonly string[];
  wasRefused(code: string): boolean;
  /** Learns from a transcription that worked. */
  accept(code: string): void;
  /** Learns from a refusal, which may name what the service takes instead. */
  refuse(code: string, details?: ApiError['details']): void;
}

/** @param known by the operator or the service itself; null = unknown. What is learned is forgotten at the end of the process. */
export function createAcceptedLanguages(known: readonly string[] | null): AcceptedLanguages {
  const refused = new Set<string>();
  let codes = known ?? COMMON_CODES;

  return {
    offered: () => codes.filter((code) => !refused.has(code)),
    wasRefused: (code) => refused.has(code.toLowerCase()),
    accept(code) {
      if (isTag(code) && !codes.includes(code)) codes = [code, ...codes];
    },
    refuse(code, details = []) {
      refused.add(code.toLowerCase());
      const named = details.flatMap(({ msg, ctx = '' }) => codesIn(`${msg} ${ctx}`));
      if (named.length > 0) codes = [...new Set(named)];
    },
  };
}

/** Members can type anything, and a service may ignore what it doesn't know. */
function isTag(code: string): boolean {
  try {
    return Intl.getCanonicalLocales(code).length > 0;
  } catch {
    return false;
  }
}

/** As services built with FastAPI and Pydantic word it: "Input should be 'en', 'de' or 'fr'". */
function codesIn(message: string): string[] {
  return [...message.matchAll(/'([a-z]{2,3}(?:-[a-z0-9]{2,4})?)'/gi)].map(([, code = '']) => code);
}
