/**
 * Converts JSON-like text, which some programs write instead of JSON: Python values (`{'a': None}`), line breaks inside strings,
 * and commas before closing brackets.
 */

/**
 * The position after a quoted string, or the end of the text if the string isn't closed. @param open the position of the opening
 * quotation mark
 */
const endOfText = (text: string, open: number): number => {
  for (let at = open + 1; at < text.length; at += text[at] === '\\' ? 2 : 1) if (text[at] === text[open]) return at + 1
  return text.length
}

/** Words and numbers. */
const WORD = /[\w.+-]/

const endOfWord = (text: string, from: number): number => {
  let at = from + 1
  while (at < text.length && WORD.test(text[at] ?? '')) at += 1
  return at
}

/** Quoted strings, words, numbers and other characters, without the whitespace between them. */
const tokensOf = (text: string): readonly string[] => {
  const tokens: string[] = []
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? ''
    const isQuote = character === "'" || character === '"'
    const end = isQuote ? endOfText(text, at) : WORD.test(character) ? endOfWord(text, at) : at + 1
    if (character.trim() !== '') tokens.push(text.slice(at, end))
    at = end
  }
  return tokens
}

const WORDS: { readonly [word: string]: string } = {
  None: 'null',
  True: 'true',
  False: 'false',
  undefined: 'null',
  nan: 'null',
  NaN: 'null',
}

const ESCAPES: { readonly [character: string]: string } = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  0: '\0',
}

/** The content of a quoted string. Unknown escapes are kept, as in Python. */
const unquoted = (token: string): string =>
  token
    .slice(1, -1)
    .replace(/\\(?:u([\da-fA-F]{4})|x([\da-fA-F]{2})|U([\da-fA-F]{8})|(\r\n|[\s\S]))/g, (all, four, two, eight, one) => {
      const code = four ?? two ?? eight
      if (code !== undefined) return Number.parseInt(code, 16) > 0x10ffff ? all : String.fromCodePoint(Number.parseInt(code, 16))
      if (one === '\n' || one === '\r\n') return ''
      return ESCAPES[one] ?? (/['"\\/]/.test(one) ? one : all)
    })

/** A token as JSON. */
const jsonOf = (token: string): string => {
  if ((token.startsWith("'") || token.startsWith('"')) && token.length > 1) return JSON.stringify(unquoted(token))
  if (token === '(') return '['
  if (token === ')') return ']'
  return WORDS[token] ?? token
}

/**
 * Rewrites JSON-like text as JSON. Other errors in the text remain, so the result may be invalid JSON. The caller must parse it.
 */
export const strictJson = (text: string): string => {
  const tokens = tokensOf(text)
  const isCloser = (token: string | undefined): boolean => token !== undefined && /^[\]})]$/.test(token)
  return tokens.flatMap((token, i) => (token === ',' && isCloser(tokens[i + 1]) ? [] : [jsonOf(token)])).join(' ')
}
