import { readFile } from 'node:fs/promises'
import type { Document } from 'yaml'

const MAX_BYTES = 1_000_000

/** A mapping in the file. Reading a value of the wrong type throws an error that names the value's location. */
export type Section = {
  /** Null if the value is missing or empty. */
  readonly text: (key: string) => string | null
  readonly flag: (key: string) => boolean | null
  /** A list of words, or one string with words separated by spaces or commas. */
  readonly words: (key: string) => readonly string[] | null
  readonly sections: (key: string) => readonly Section[]
  /** Creates the error that says what is wrong with a key. */
  readonly wrong: (key: string, problem: string) => Error
  /** Warnings about unknown keys, here and in nested mappings. @param but keys that cause no warning */
  readonly unread: (but: readonly string[]) => readonly string[]
}

type Fail = (problem: string) => Error
type Mapping = { readonly [key: string]: unknown }

const isMapping = (value: unknown): value is Mapping => typeof value === 'object' && value !== null && !Array.isArray(value)

const sectionOf = (values: Mapping, place: string, fail: Fail): Section => {
  const asked = new Set<string>()
  const below: Section[] = []
  const wrong = (key: string, problem: string) => fail(`${place}${key} ${problem}.`)
  const get = (key: string): unknown => {
    asked.add(key)
    return Object.hasOwn(values, key) ? (values[key] ?? null) : null
  }
  const text = (key: string): string | null => {
    const value = get(key)
    if (value === null) return null
    if (typeof value !== 'string') throw wrong(key, 'must be text; put it in quotes')
    return value.trim() || null
  }
  return {
    text,
    wrong,
    flag: (key) => {
      const value = get(key)
      if (value !== null && typeof value !== 'boolean') throw wrong(key, 'must be true or false')
      return value
    },
    words: (key) => {
      const value = get(key)
      const list = Array.isArray(value) ? value : (text(key)?.split(/[\s,]+/) ?? null)
      if (list?.some((word) => typeof word !== 'string' || word === '' || /\s/.test(word)))
        throw wrong(key, 'must be a list of words')
      return list
    },
    sections: (key) => {
      const value = get(key) ?? []
      if (!Array.isArray(value)) throw wrong(key, 'must be a list')
      const made = value.map((item, i) => {
        if (!isMapping(item)) throw wrong(`${key}[${i}]`, 'must be a mapping')
        return sectionOf(item, `${place}${key}[${i}].`, fail)
      })
      below.push(...made)
      return made
    },
    unread: (but) => [
      ...Object.keys(values)
        .filter((key) => !asked.has(key) && !but.includes(key))
        .map((key) => `${place}${key} is not a known key and is ignored.`),
      ...below.flatMap((section) => section.unread(but)),
    ],
  }
}

const read = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** The first problem that the parser reports: invalid syntax, or a tag that represents more than a plain value. */
const faultOf = (document: Document): string | null => {
  const [fault] = [...document.errors, ...document.warnings]
  return fault === undefined ? null : (fault.message.split('\n')[0] ?? '').replace(/[:.]$/, '')
}

/**
 * Reads a YAML file of plain values. Nothing in it is executed.
 * @returns null if the file does not exist
 * @throws the error that `refuse` creates from a sentence naming the file
 */
export const readFileOf = async (path: string, refuse: (sentence: string) => Error): Promise<Section | null> => {
  const fail: Fail = (problem) => refuse(`Cannot use the file ${path}: ${problem}`)
  const text = await read(path).catch((error: NodeJS.ErrnoException) => {
    throw fail(`it cannot be read (${error.code ?? error.message}).`)
  })
  if (text === null) return null
  if (text.length > MAX_BYTES) throw fail('it is larger than 1 MB.')
  const { parseDocument } = await import('yaml')
  const document = parseDocument(text, { version: '1.2', schema: 'core', merge: false, customTags: null, logLevel: 'error' })
  const fault = faultOf(document)
  if (fault !== null) throw fail(`${fault}.`)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: 50 }) as unknown
  } catch (error) {
    throw fail(`${error instanceof Error ? error.message : String(error)}.`)
  }
  if (!isMapping(value ?? {})) throw fail('it must be a mapping with the keys "providers" and "allowed_workspaces".')
  return sectionOf((value ?? {}) as Mapping, '', fail)
}
