/** Sentences by codes that do not change with their words; `{name}` is a parameter. */
export type Sentences = { readonly [code: string]: string }

type Params = { readonly [name: string]: string }
/** What a sentence may be: a code, and what stands where its parameters are. */
export type Told<C extends string = string> = { readonly code: C; readonly params: Params }

/** A sentence as what stands around its parameters, which is one more than there are, and their names. */
type Form<C extends string> = { readonly code: C; readonly around: readonly string[]; readonly names: readonly string[] }

/**
 * What stands where the parameters of a sentence are, each up to the next thing around them; null when it is another sentence.
 * NOTE: not by a regular expression, which would try every way to share a stranger's text out among several parameters
 */
const valuesIn = (text: string, { around: [first = '', ...rest] }: Form<string>): readonly string[] | null => {
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

/** Longer than any sentence of ours; what strangers put into one is cut before. */
const longest = 4000

/** Says the sentences of a table, and reads from a sentence which one it is. */
export const tellingOf = <T extends Sentences>(sentences: T) => {
  type Code = keyof T & string
  const codes = Object.keys(sentences) as readonly Code[]
  /** A sentence without its parameters is found first: none with some may take it for its own. */
  const forms = codes
    .map((code): Form<Code> => {
      const parts = (sentences[code] ?? '').split(/\{(\w+)\}/)
      return { code, around: parts.filter((_, i) => i % 2 === 0), names: parts.filter((_, i) => i % 2 === 1) }
    })
    .toSorted((a, b) => Number(a.names.length > 0) - Number(b.names.length > 0))
  return {
    /** Every code, in the order of the table. */
    codes,
    /** The sentence of a code. */
    say: (code: Code, params: { readonly [name: string]: string | number } = {}): string =>
      (sentences[code] ?? '').replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole)),
    /** What a sentence may be, the likeliest first. */
    formsOf: function* (sentence: string): Generator<Told<Code>> {
      if (sentence.length > longest) return
      for (const form of forms) {
        const values = valuesIn(sentence, form)
        if (values === null) continue
        yield { code: form.code, params: Object.fromEntries(form.names.map((name, i) => [name, values[i] ?? ''])) }
      }
    },
  }
}
