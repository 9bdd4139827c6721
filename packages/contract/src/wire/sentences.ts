/** Sentences by code. A code stays the same when the wording changes. `{name}` is a parameter. */
export type Sentences = { readonly [code: string]: string }

type Params = { readonly [name: string]: string }
/** A possible reading of a sentence: its code and the values of its parameters. */
export type SentenceMatch<C extends string = string> = { readonly code: C; readonly params: Params }

/** A sentence split at its parameters: the literal parts (one more than there are parameters) and the parameter names. */
type SentenceForm<C extends string> = {
  readonly code: C
  readonly literals: readonly string[]
  readonly names: readonly string[]
}

/**
 * The values of a sentence's parameters, each up to the next literal part. Null if the text is a different sentence.
 * NOTE: uses no regular expression, which would backtrack over every way to split user input among the parameters
 */
const extractValues = (text: string, { literals: [first = '', ...rest] }: SentenceForm<string>): readonly string[] | null => {
  const last = rest.pop()
  if (last === undefined) return text === first ? [] : null
  if (!text.startsWith(first) || !text.endsWith(last)) return null
  const end = text.length - last.length
  const values: string[] = []
  let at = first.length
  for (const literal of rest) {
    const next = text.indexOf(literal, at + 1)
    if (next < 0 || next + literal.length > end) return null
    values.push(text.slice(at, next))
    at = next + literal.length
  }
  return at < end ? [...values, text.slice(at, end)] : null
}

/** Longer than any of our sentences. User input in a sentence is truncated before it gets this long. */
const maxSentenceLength = 4000

/** Formats the sentences of a table, and identifies a given sentence. */
export const createSentences = <T extends Sentences>(sentences: T) => {
  type Code = keyof T & string
  const codes = Object.keys(sentences) as readonly Code[]
  /** Sentences without parameters come first, so that no sentence with parameters matches in their place. */
  const forms = codes
    .map((code): SentenceForm<Code> => {
      const parts = (sentences[code] ?? '').split(/\{(\w+)\}/)
      return { code, literals: parts.filter((_, i) => i % 2 === 0), names: parts.filter((_, i) => i % 2 === 1) }
    })
    .toSorted((a, b) => Number(a.names.length > 0) - Number(b.names.length > 0))
  return {
    /** All codes, in the order of the table. */
    codes,
    /** Builds the sentence of a code. */
    say: (code: Code, params: { readonly [name: string]: string | number } = {}): string =>
      (sentences[code] ?? '').replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole)),
    /** The possible readings of a sentence, most likely first. */
    formsOf: function* (sentence: string): Generator<SentenceMatch<Code>> {
      if (sentence.length > maxSentenceLength) return
      for (const form of forms) {
        const values = extractValues(sentence, form)
        if (values === null) continue
        yield { code: form.code, params: Object.fromEntries(form.names.map((name, i) => [name, values[i] ?? ''])) }
      }
    },
  }
}
