// The local voice service: a server of the whole Voice Service API (spec/voice-service-api.md), with offline engines behind it. What runs it in
// a process of its own is in supervisor.ts, which loads nothing of this.
export type { CatalogueFile } from './catalogue.ts';
export { lookForNaturalVoices } from './natural-voices.ts';
export {
  folderIn,
  type ServiceVoices,
  startVoiceService,
  type VoiceService,
  type VoiceServiceOptions,
} from './voice-service.ts';
export type { KeyGrant } from './wallet.ts';
