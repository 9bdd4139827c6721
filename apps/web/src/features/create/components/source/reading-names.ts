import type { Encoding } from '@postil/contract/files/encodings.ts'
import type { ImportFile } from '@postil/contract/files/imports.ts'

/** The names of encodings are the same in all languages. */
export const encodingNames: { readonly [E in Encoding]: string } = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  'windows-1257': 'Windows-1257',
  'windows-1258': 'Windows-1258',
  'windows-874': 'Windows-874',
  'iso-8859-2': 'ISO 8859-2',
  'iso-8859-5': 'ISO 8859-5',
  'iso-8859-7': 'ISO 8859-7',
  'iso-8859-15': 'ISO 8859-15',
  'koi8-r': 'KOI8-R',
  ibm866: 'IBM 866',
  macintosh: 'Mac OS Roman',
  shift_jis: 'Shift JIS',
  'euc-jp': 'EUC-JP',
  'iso-2022-jp': 'ISO-2022-JP',
  gb18030: 'GB 18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
}

/** Separators of tables. `name` is a message key. */
export const separators = [
  { value: ',', name: 'comma' },
  { value: ';', name: 'semicolon' },
  { value: '\t', name: 'tab' },
  { value: '|', name: 'bar' },
  { value: '', name: 'none' },
] as const

const maxWords = 5

/** Returns a file's first words that aren't pure ASCII. */
export const charactersOf = ({ columns }: Pick<ImportFile, 'columns'>): readonly string[] => {
  const texts = columns.flatMap(({ name, samples }) => [name, ...samples])
  const words = texts.flatMap((text) => text.split(/\s/)).filter((word) => [...word].some((character) => character > '\x7f'))
  return [...new Set(words.map((word) => word.slice(0, 20)))].slice(0, maxWords)
}
