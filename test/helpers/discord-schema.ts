// Discord's published description of its REST interface, where it lies beside the project: another judge of what is sent.
import { existsSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const file = new URL('../../../shared/data/discord-openapi.json', import.meta.url);

const hasDiscordSchema = existsSync(file);

/** A check by one of its schemas, which throws with what is wrong. Checks nothing where the description is not there. */
export function createSchemaCheck(name: string): (value: unknown) => void {
  if (!hasDiscordSchema) return () => {};
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  addFormats.default(ajv);
  ajv.addFormat('snowflake', /^\d{1,20}$/);
  ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'discord');
  const validate = ajv.getSchema(`discord#/components/schemas/${name}`);
  if (!validate) throw new Error(`Discord's description has no schema ${name}.`);
  return (value) => {
    // As it travels: without what is undefined.
    if (!validate(JSON.parse(JSON.stringify(value)))) throw new Error(ajv.errorsText(validate.errors));
  };
}
