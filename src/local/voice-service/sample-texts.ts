// What voices say to be tried. Also loaded by the bot, for its page.

/** What a voice says as its sample, by language; a voice of any other language has none, because it would stumble over English. */
export const SAMPLE_TEXTS: Readonly<Record<string, string>> = {
  en: 'Hello! This is what I sound like.',
  de: 'Hallo! So klinge ich.',
  es: '¡Hola! Así suena mi voz.',
  fr: 'Bonjour ! Voici le son de ma voix.',
  it: 'Ciao! Questa è la mia voce.',
  ja: 'こんにちは。これが私の声です。',
  ko: '안녕하세요! 제 목소리는 이래요.',
  pl: 'Cześć! Tak brzmi mój głos.',
  pt: 'Olá! Esta é a minha voz.',
  zh: '你好！这就是我的声音。',
};
