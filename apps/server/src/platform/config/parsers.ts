import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'

/** What a text from outside means, or what is wrong with it: the rest of a sentence that starts with the name. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string }
export type Parser<T> = (raw: string) => Parsed<T>

const fine = <T>(value: T): Parsed<T> => ({ value })
const wrong = (problem: string): Parsed<never> => ({ problem })

export const text =
  ({ min = 0, max = Number.POSITIVE_INFINITY } = {}): Parser<string> =>
  (raw) => {
    const length = [...raw].length
    if (length < min) return wrong(`must have at least ${min} characters, it has ${length}`)
    return length > max ? wrong(`must have at most ${max} characters, it has ${length}`) : fine(raw)
  }

export const pattern =
  (form: RegExp, what: string): Parser<string> =>
  (raw) =>
    form.test(raw) ? fine(raw) : wrong(`must be ${what}`)

export const integer =
  (min: number, max: number): Parser<number> =>
  (raw) => {
    const value = /^[+-]?\d+$/.test(raw.trim()) ? Number(raw) : Number.NaN
    return value >= min && value <= max ? fine(value) : wrong(`must be a whole number from ${min} to ${max}`)
  }

/** A part of a whole. */
export const fraction: Parser<number> = (raw) => {
  const value = /^[01]?(\.\d+)?$/.test(raw.trim()) ? Number(raw) : Number.NaN
  return raw.trim() !== '' && value <= 1 ? fine(value) : wrong('must be a number from 0 to 1')
}

/** An address of the web, with a path or without. */
export const webAddress: Parser<string> = (raw) => {
  const url = URL.canParse(raw.trim()) ? new URL(raw.trim()) : null
  return url && /^https?:$/.test(url.protocol) ? fine(url.href) : wrong('must be an address such as http://host:4318')
}

/** Seconds, also with a fraction, as milliseconds. */
export const seconds: Parser<number> = (raw) => {
  const value = /^\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : Number.NaN
  return value <= 86_400 ? fine(Math.round(value * 1000)) : wrong('must be a number of seconds')
}

/** Minutes, also with a fraction, as milliseconds; up to a day. */
export const minutes: Parser<number> = (raw) => {
  const value = /^\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : Number.NaN
  return value > 0 && value <= 1440 ? fine(Math.ceil(value * 60_000)) : wrong('must be a number of minutes, at most 1440')
}

const TRUE = new Set(['1', 'true', 't', 'yes', 'y', 'on'])
const FALSE = new Set(['0', 'false', 'f', 'no', 'n', 'off'])

export const bool: Parser<boolean> = (raw) => {
  const word = raw.trim().toLowerCase()
  if (TRUE.has(word)) return fine(true)
  return FALSE.has(word) ? fine(false) : wrong('must be true or false')
}

export const oneOf =
  <const T extends string>(...choices: readonly T[]): Parser<T> =>
  (raw) => {
    const found = choices.find((choice) => choice === raw.trim())
    return found === undefined ? wrong(`must be one of ${choices.join(', ')}`) : fine(found)
  }

const UNITS: { readonly [unit: string]: number } = {
  '': 1,
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
}

/** A server that takes less can be no use: who says `64` means MB, and with as many bytes nobody could even sign in. */
const LEAST_BYTES = 100_000

/** A number of bytes such as `64 MB`, `512kib` or `1000000`. @param max in bytes, with its name for people */
const bytesUpTo =
  (max: number, named: string): Parser<number> =>
  (raw) => {
    const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(raw.trim())
    const unit = UNITS[match?.[2]?.toLowerCase() ?? '']
    const value = match && unit !== undefined ? Math.round(Number(match[1]) * unit) : 0
    return value >= LEAST_BYTES && value <= max
      ? fine(value)
      : wrong(`must be a size with its unit such as 64 MB, from 100 kB to ${named}`)
  }
/** Of what is held in memory. */
export const bytes = bytesUpTo(2 ** 30, '1 GiB')
/** Of what is kept on disk. */
export const fileBytes = bytesUpTo(2 ** 40, '1024 GiB')

/** The home folder of the one who runs the server; the root's where the system knows of none, as of users that a container was only given a number of. */
export const home = ((): string => {
  try {
    return homedir()
  } catch {
    return ''
  }
})()

/** A folder; `~` is the home folder of the one who runs the server. */
export const folder =
  (home: string): Parser<string> =>
  (raw) => {
    const path = raw === '~' || raw.startsWith('~/') ? `${home}${raw.slice(1)}` : raw
    return fine(isAbsolute(path) ? path : resolve(path))
  }

/** A path prefix, with the slashes at both ends. */
export const basePath: Parser<string> = (raw) => {
  const inner = raw.trim().replace(/^\/+|\/+$/g, '')
  if (inner === '') return fine('/')
  return /^[\w.~-]+(\/[\w.~-]+)*$/.test(inner) && !/(^|\/)\.{1,2}(\/|$)/.test(inner)
    ? fine(`/${inner}/`)
    : wrong('must be a path such as /annotation/')
}

const httpUrl = (raw: string): URL | null => {
  try {
    const url = new URL(raw)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url : null
  } catch {
    return null
  }
}

/** The address that people type, without a path: `https://annotate.example.org`. */
export const origin: Parser<string> = (raw) => {
  const url = httpUrl(raw.trim())
  return url && url.pathname === '/' && !url.search && !url.hash && !url.username
    ? fine(url.origin)
    : wrong('must be an address such as https://annotate.example.org, without a path')
}

/** The address of a service, with a path or without: no slash at the end, neither query nor fragment, nobody's name in it. */
export const serviceUrl: Parser<string> = (raw) => {
  const url = httpUrl(raw.trim())
  return url && !url.search && !url.hash && !url.username && !url.password
    ? fine(url.href.replace(/\/+$/, ''))
    : wrong('must be an address such as https://hub.example.org')
}

const listOf = (raw: string): readonly unknown[] | null => {
  if (!raw.trim().startsWith('[')) return raw.split(',').map((item) => item.trim())
  try {
    const value: unknown = JSON.parse(raw)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** A JSON list of origins, or the same with commas; `*` is any origin. */
export const origins: Parser<readonly string[]> = (raw) => {
  const found: string[] = []
  for (const item of listOf(raw) ?? [null]) {
    const one = item === '*' ? fine('*') : origin(typeof item === 'string' ? item : '')
    if ('problem' in one) return wrong('must be a JSON list of origins such as ["https://app.example.org"]')
    found.push(one.value)
  }
  return fine(found)
}
