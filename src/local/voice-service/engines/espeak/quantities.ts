// Numbers with what belongs to them, as they are said in Korean, Japanese and Chinese: espeak-ng leaves out the point and the currency, says
// "percent" in English, and counts Korean hours and things as it counts minutes.

/** A text of such a language, with what espeak-ng reads wrong in words. */
export const sayQuantities: Readonly<Record<string, (text: string) => string>> = { ja: sayJapanese, ko: sayKorean, zh: sayChinese };

const SEPARATOR = /(?<=\d),(?=\d{3}(?!\d))/g;
const TIME = /(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])/g;
const DECIMAL = /(?<![\d.])(\d+)\.(\d+)(?![\d.])/g;
const PERCENT = /(?<!\d)(\d+(?:\.\d+)?)\s*[%％]/g;

interface Units {
  /** Of a time: what follows the hour, and the minute. */
  hour: string;
  minute: string;
  point: string;
  currencies: Readonly<Record<string, string>>;
}

function sayUnits(text: string, { hour, minute, point, currencies }: Units): string {
  const named = text
    .replace(SEPARATOR, '')
    .replace(
      TIME,
      (_, hours: string, minutes: string) => `${Number(hours)}${hour}${minutes === '00' ? '' : ` ${Number(minutes)}${minute}`}`,
    );
  return Object.entries(currencies)
    .reduce(
      (said, [sign, name]) =>
        said
          .replace(new RegExp(`[${sign}]\\s*(\\d+(?:\\.\\d+)?)`, 'g'), `$1${name}`)
          .replace(new RegExp(`(?<=\\d)\\s*[${sign}]`, 'g'), name),
      named,
    )
    .replace(DECIMAL, (_, whole: string, part: string) => `${whole}${point}${[...part].join(' ')}`);
}

function sayJapanese(text: string): string {
  const currencies = { '€': 'ユーロ', $: 'ドル', '£': 'ポンド', '¥￥': '円', '₩': 'ウォン' };
  return sayUnits(text.replace(PERCENT, '$1パーセント'), { hour: '時', minute: '分', point: '点', currencies });
}

function sayChinese(text: string): string {
  const currencies = { '€': '欧元', $: '美元', '£': '英镑', '¥￥': '元', '₩': '韩元' };
  return sayUnits(text.replace(PERCENT, '百分之$1'), { hour: '点', minute: '分', point: '点', currencies });
}

function sayKorean(text: string): string {
  const currencies = { '€': '유로', $: '달러', '£': '파운드', '¥￥': '엔', '₩': '원' };
  const counted = text
    .replace(PERCENT, '$1 퍼센트')
    .replace(THINGS, (_, count: string, noun: string) => `${count === '1' && noun === '번째' ? '첫' : toNative(Number(count))} ${noun}`);
  return sayUnits(counted, { hour: '시', minute: '분', point: ' 점 ', currencies }).replace(
    HOURS,
    (_, hours: string, noun: string) => `${toNative(Number(hours))} ${noun}`,
  );
}

/** "일곱 시", but "칠 시즌"; above twelve, hours are counted as minutes are. */
const HOURS = /(?<![\d.])(1[0-2]|[1-9])\s*(시)(?![간즌리도민장절])/g;
/** "세 개", but "삼 개월". */
const THINGS = /(?<![\d.제])([1-9]\d?)\s*(시간|개(?![월국년])|명|살|마리|사람|가지|잔|병|권|곳|그릇|켤레|송이|번째)/g;

const TENS = ['', '열', '스물', '서른', '마흔', '쉰', '예순', '일흔', '여든', '아흔'];
const ONES = ['', '한', '두', '세', '네', '다섯', '여섯', '일곱', '여덟', '아홉'];

/** 1 to 99, before what is counted. */
const toNative = (count: number): string => (count === 20 ? '스무' : `${TENS[Math.floor(count / 10)]}${ONES[count % 10]}`);
