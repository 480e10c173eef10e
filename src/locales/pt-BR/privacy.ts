// What /privacy says, in Brazilian Portuguese.
import { bold, inlineCode } from 'discord.js';
import type { Words } from '../words.ts';
import { format } from './format.ts';

export const privacy: Words['privacy'] = {
  title: 'Sua privacidade',
  sent: (host) =>
    host === null
      ? `${bold('Quem recebe.')} Seus textos e gravações vão para um serviço de voz na minha própria máquina, e para mais nenhum lugar.`
      : `${bold('Quem recebe.')} Seus textos e gravações vão para o serviço de voz ${inlineCode(host)}, sem o seu nome. Quem cuida dele decide o que acontece lá. Não mando para mais nenhum lugar.`,
  notKept: `${bold('O que nunca guardo.')} Gravações e transcrições. Não escrevo nada disso em registros, nem seus textos, nem o seu nome.`,
  texts: `${bold('Textos.')} Se minha resposta não consegue mostrar um texto exatamente como você o escreveu, por exemplo porque é longo, eu o guardo criptografado por até 30 dias para que você possa repeti-lo. A única chave está na resposta: se ela for apagada, ninguém consegue ler o texto.`,
  kept: `${bold('O que guardo sobre você.')} Sua voz, suas vozes favoritas e recentes e sua velocidade, até você apagar. Quanto você usou, em números, por dois dias.`,
  madeVoices: `${bold('Vozes que você cria.')} Os títulos, quem concordou e quando, até você apagá-las. As gravações só vão para o serviço de voz. Enquanto espero alguém concordar, guardo o seu pedido selado, por no máximo 20 horas.`,
  sound: (bytes) =>
    bytes === 0
      ? `${bold('Som.')} Não guardo nenhum.`
      : `${bold('Som.')} Guardo até ${format.megabytes(bytes)} de áudio para que repetições no mesmo servidor sejam grátis. O mais antigo sai primeiro, e tudo sai em no máximo 30 dias. Os nomes dos arquivos não revelam o texto. Anoto quais sons são seus para que você possa apagar.`,
  server: `${bold('O que guardo sobre servidores.')} As configurações, inclusive quem está silenciado, até mudarem ou por 30 dias depois que eu for removido. O uso, em números sem nomes, por 31 dias. O volume de cada voz, por 90 dias.`,
  messages: `${bold('Minhas respostas.')} São mensagens do Discord e ficam até alguém apagar.`,
  localMessages: `${bold('Minhas respostas.')} Este é o Discord local, na minha própria máquina. No lugar dos servidores do Discord, ele guarda as mensagens e os anexos de todo mundo por um dia, em uma pasta que só o usuário que o executa pode ler.`,
  openReplies:
    'Enquanto uma resposta não termina, anoto onde ela está para corrigir depois de uma reinicialização. Para as que só você vê, guardo também a chave cifrada para editá-las, por no máximo 15 minutos. Se você me escreve diretamente, anoto por um dia que já falei dos meus comandos.',
  erased: `${bold('Exclusão.')} O que você exclui é sobrescrito na hora. Outras cópias no meu banco de dados, como o título da sua voz entre as vozes recentes de outros membros, somem em até 10 minutos.`,
  reading: (isRead) =>
    `${bold('Leitura em voz alta.')} Onde alguém a ligou, leio as mensagens novas do canal em um canal de voz. Não as guardo. O som delas fica só na memória, até a mensagem ser editada ou apagada, e no máximo por uma hora depois de ser ouvida pela última vez. Lembro qual voz lê as suas em um servidor por 30 dias depois da última leitura. Também lembro em quais canais você a ligou, até ela ser desligada. ${isRead ? 'Suas mensagens podem ser lidas em voz alta.' : 'Você escolheu que suas mensagens não sejam lidas em nenhum servidor.'}`,
  optOutButton: 'Não ler minhas mensagens',
  optInButton: 'Voltar a ler minhas mensagens',
  optOutGoes: 'Suas mensagens também voltarão a ser lidas em voz alta.',
  deleteButton: 'Apagar meus dados…',
  emptyButton: 'Esvaziar o cache de áudio…',
  deleteQuestion: (hasSound) =>
    hasSound
      ? 'Apagar suas vozes, sua velocidade, seu dicionário, os textos guardados e o som deles? Não dá para desfazer.'
      : 'Apagar suas vozes, sua velocidade, seu dicionário e os textos guardados? Não dá para desfazer.',
  whatStays:
    'Duas coisas ficam: quanto você usou hoje, por dois dias, para que apagar não zere o seu limite; e se um admin silenciou você em um servidor.',
  deleteYes: 'Apagar',
  cancel: 'Cancelar',
  deleted: (sounds) =>
    sounds === 0
      ? 'Pronto. Apaguei seus dados.'
      : `Pronto. Apaguei seus dados e ${format.plural(sounds, { one: '# som guardado', other: '# sons guardados' })}.`,
  deletedLater: 'Parte do áudio em cache está em uma máquina que não está ligada agora. Lá ela será apagada antes de qualquer reprodução.',
  emptyQuestion: 'Esvaziar o cache de áudio de todos os membros e servidores? Dizer a mesma coisa de novo vai gastar crédito.',
  emptyYes: 'Esvaziar',
  emptied: (bytes) => `Pronto. O cache de áudio está vazio e liberou ${format.megabytes(bytes)}.`,
  yourVoices: (titles) => `As suas: ${titles}.`,
  voicesOfYou: (count) =>
    `${bold('Sua voz com outras pessoas.')} ${format.plural(count, { one: '# voz de outro membro é feita da sua gravação, porque você aceitou.', other: '# vozes de outros membros são feitas das suas gravações, porque você aceitou.' })}`,
  voicesToo: (count) =>
    format.plural(count, {
      one: '# voz criada por você ou da sua gravação também será apagada, inclusive no serviço de voz.',
      other: '# vozes criadas por você ou das suas gravações também serão apagadas, inclusive no serviço de voz.',
    }),
  voicesDeleted: (count) => format.plural(count, { one: 'Também apaguei # voz.', other: 'Também apaguei # vozes.' }),
  voicesLeft: (count) =>
    format.plural(count, {
      one: 'O serviço de voz não conseguiu apagar # voz agora. Ninguém mais pode usá-la, e vou continuar tentando.',
      other: 'O serviço de voz não conseguiu apagar # vozes agora. Ninguém mais pode usá-las, e vou continuar tentando.',
    }),
  operatorsOnly: `Só quem cuida do bot pode esvaziar o cache de áudio. ${bold('Apagar meus dados')} remove a sua parte.`,
};
