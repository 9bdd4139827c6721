import type { Parser } from './parsers.ts'

export type Setting<T> = {
  /** Environment variables. The first one that is set wins. */
  readonly names: readonly string[]
  /** Command-line flag without the dashes. It overrides the environment. */
  readonly flag?: string
  readonly parse: Parser<T>
  readonly fallback: T
  /** The default as printed in docs/settings.md. */
  readonly shown: string
  readonly doc: string
  /** True if the value must never be printed. */
  readonly secret?: boolean
  /**
   * Variables that Postil ignores outside a Hub Space. In a Space, the container sets them. Elsewhere, a shell may set them for
   * other purposes.
   */
  readonly spaceNames?: readonly string[]
}

export const setting = <T>(one: Setting<T>): Setting<T> => one
export const optional = <T>(one: Omit<Setting<T>, 'fallback' | 'shown'> & { readonly shown?: string }): Setting<T | undefined> =>
  setting<T | undefined>({ shown: 'none', fallback: undefined, ...one })

/** Both variable names of a setting that Argilla also has. */
export const both = (name: string) => [`POSTIL_${name}`, `ARGILLA_${name}`]
