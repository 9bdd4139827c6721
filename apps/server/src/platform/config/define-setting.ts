import type { Parser } from './parsers.ts'

export type Setting<T> = {
  /** Names in the environment, the first that is set wins. */
  readonly names: readonly string[]
  /** Name on the command line, without the dashes; it wins over the environment. */
  readonly flag?: string
  readonly parse: Parser<T>
  readonly fallback: T
  /** The default as docs/settings.md prints it. */
  readonly shown: string
  readonly doc: string
  /** True when the value must never be printed. */
  readonly secret?: boolean
  /** Names that count only inside a hub space, where they are the container's; elsewhere a shell may set them. */
  readonly spaceNames?: readonly string[]
}

export const setting = <T>(one: Setting<T>): Setting<T> => one
/** A setting without a default. */
export const optional = <T>(one: Omit<Setting<T>, 'fallback' | 'shown'> & { readonly shown?: string }): Setting<T | undefined> =>
  setting<T | undefined>({ shown: 'none', fallback: undefined, ...one })

/** The name of a setting that the original server has too. */
export const both = (name: string) => [`POSTIL_${name}`, `ARGILLA_${name}`]
