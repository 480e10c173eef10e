// The custom_ids of buttons, menus and forms. One holds all that its handler needs, so a button works after a restart, in another process,
// and in the version before or after the one that posted it. So ids don't change: parts may be added at the end of one, as optional.
import { limits } from './cards.ts';
import type { BoundHandler, Handler } from './command.ts';
import { UserError } from './errors.ts';

/** How a value is written between two colons, and read again. */
interface Part<T> {
  write(value: T): string;
  /** @param written '' if the id ends before this part @throws UserError if no version wrote it */
  read(written: string): T;
  /** The part takes all that is left of the id, colons included, so it comes last. */
  isRest?: true;
  /** The id may end before the part. */
  isOptional?: true;
}

// biome-ignore lint/suspicious/noExplicitAny: a part of any type
type Parts = Record<string, Part<any>>;
type ValueOf<P> = P extends Part<infer T> ? T : never;
type OptionalKeys<P extends Parts> = { [K in keyof P]: P[K] extends { isOptional: true } ? K : never }[keyof P];
type Values<P extends Parts> = { [K in Exclude<keyof P, OptionalKeys<P>>]: ValueOf<P[K]> } & {
  [K in OptionalKeys<P>]?: ValueOf<P[K]> | undefined;
};

const text: Part<string> = { write: (value) => value, read: (written) => written };

/** What an id may hold. */
export const part = {
  text,
  /** A text that may contain colons. */
  rest: { ...text, isRest: true } as const,
  flag: { write: (value) => (value ? '1' : '0'), read: (written) => written === '1' } as Part<boolean>,
  /** NaN if the text isn't a number. */
  number: { write: String, read: (written) => (written === '' ? Number.NaN : Number(written)) } as Part<number>,
  /** @param values of which it is one */
  oneOf: <const T extends string>(...values: T[]): Part<T> => ({
    write: (value) => value,
    read(written) {
      const value = values.find((allowed) => allowed === written);
      if (value === undefined) throw new UserError((t) => t('general.expiredMessage'));
      return value;
    },
  }),
  /** It's missing from some ids, as are all parts after it. */
  // biome-ignore lint/suspicious/noExplicitAny: a part of any type
  optional: <P extends Part<any>>(inner: P): P & { isOptional: true } => ({ ...inner, isOptional: true }),
};

/** The custom_ids that begin alike. */
export interface CustomId<V> {
  prefix: string;
  /** @throws RangeError if the id is too long for Discord */
  write(values: V): string;
  /** Null if the id is too long for Discord. */
  writeIfItFits(values: V): string | null;
  /** Null if the id begins differently. @throws UserError if no version wrote it */
  read(id: string): V | null;
}

/**
 * @param prefix how the ids begin, such as `queue` or `captions:delete`; the longest one that fits finds the handler
 * @param parts in the order in which they are written
 */
export function customId<P extends Parts>(prefix: string, parts: P): CustomId<Values<P>> {
  const entries = Object.entries(parts);

  function write(values: Values<P>): string {
    const fields = values as Record<string, unknown>;
    const count = entries.findLastIndex(([name]) => fields[name] !== undefined) + 1;
    return [prefix, ...entries.slice(0, count).map(([name, part]) => part.write(fields[name]))].join(':');
  }

  return {
    prefix,
    write(values) {
      const id = write(values);
      if (id.length > limits.customId) throw new RangeError(`The custom_id of ${prefix} has ${id.length} characters.`);
      return id;
    },
    writeIfItFits(values) {
      const id = write(values);
      return id.length > limits.customId ? null : id;
    },
    read(id) {
      if (id !== prefix && !id.startsWith(`${prefix}:`)) return null;
      const written = id === prefix ? [] : id.slice(prefix.length + 1).split(':');
      const read = entries.flatMap(([name, part], index) => {
        if (part.isOptional && index >= written.length) return [];
        return [[name, part.read(part.isRest ? written.slice(index).join(':') : (written[index] ?? ''))]];
      });
      return Object.fromEntries(read);
    },
  };
}

/** Has a handler run for all ids of a kind. */
export function on<I extends { customId: string }, C, V>(id: CustomId<V>, handler: Handler<I, C, V>): BoundHandler<I, C> {
  return {
    ...handler,
    prefix: id.prefix,
    async run(interaction, context) {
      const values = id.read(interaction.customId);
      if (values === null) throw new UserError((t) => t('general.expiredMessage'));
      await handler.run(interaction, context, values);
    },
  };
}
