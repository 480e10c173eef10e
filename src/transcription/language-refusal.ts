// The voice service doesn't know a language; the member can choose another one.
import { UserError } from '../bot/user-error.ts';
import { languageRefused } from './questions.ts';

export class LanguageRefusal extends UserError {
  readonly language: string;

  constructor(language: string, options: ErrorOptions) {
    super((t) => languageRefused(language, t), options);
    this.language = language;
  }
}
