/** The position of a value in JSON text, in UTF-16 code units. */
export type Range = { readonly start: number; readonly end: number }
/** The range of a property's value, and of its items if it is a list. */
export type PropertyRange = Range & { readonly items: readonly Range[] }

type Token = Range & { readonly text: string }
const SPACES = ' \t\r\n'
const PUNCTUATION = '{}[],:'

/** The end of the token that begins at a position. @param text valid JSON */
const endOf = (text: string, start: number): number => {
  let end = start + 1
  if (text[start] === '"') {
    while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    return end + 1
  }
  if (PUNCTUATION.includes(text[start]!)) return end
  while (end < text.length && !PUNCTUATION.includes(text[end]!) && !SPACES.includes(text[end]!)) end += 1
  return end
}

const tokensOf = (text: string): readonly Token[] => {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    if (SPACES.includes(text[at]!)) {
      at += 1
      continue
    }
    const end = endOf(text, at)
    tokens.push({ text: text.slice(at, end), start: at, end })
    at = end
  }
  return tokens
}

/** The position of the last token of the value that begins at a position. */
const lastOf = (tokens: readonly Token[], first: number): number => {
  let depth = 0
  for (let at = first; at < tokens.length; at += 1) {
    const { text } = tokens[at]!
    if (text === '{' || text === '[') depth += 1
    if (text === '}' || text === ']') depth -= 1
    if (depth === 0) return at
  }
  return tokens.length - 1
}

const rangeOf = (tokens: readonly Token[], first: number): Range => ({
  start: tokens[first]!.start,
  end: tokens[lastOf(tokens, first)]!.end,
})

/** The position after a value and the comma that may follow it. */
const afterValue = (tokens: readonly Token[], first: number): number => {
  const next = lastOf(tokens, first) + 1
  return tokens[next]?.text === ',' ? next + 1 : next
}

const itemsOf = (tokens: readonly Token[], first: number): readonly Range[] => {
  if (tokens[first]?.text !== '[') return []
  const items: Range[] = []
  for (let at = first + 1; tokens[at]!.text !== ']'; at = afterValue(tokens, at)) items.push(rangeOf(tokens, at))
  return items
}

/** The ranges of the properties of an object. @param text valid JSON of an object */
export const propertyRanges = (text: string): ReadonlyMap<string, PropertyRange> => {
  const tokens = tokensOf(text)
  const found = new Map<string, PropertyRange>()
  for (let at = 1; tokens[at]!.text !== '}'; ) {
    // A property consists of its key, a colon and its value, which may have several tokens.
    const value = at + 2
    found.set(JSON.parse(tokens[at]!.text) as string, { ...rangeOf(tokens, value), items: itemsOf(tokens, value) })
    at = afterValue(tokens, value)
  }
  return found
}
