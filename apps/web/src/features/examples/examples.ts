import type { MetadataPropertyCreate } from '@postil/contract/metadata-properties.ts'

type Json = { readonly [key: string]: unknown }

/** A built-in dataset: its definition and its records. */
export type Example = {
  readonly licence: string
  readonly name: string
  readonly guidelines: string
  readonly fields: readonly Json[]
  readonly questions: readonly (Json & { readonly name: string })[]
  readonly metadata: readonly MetadataPropertyCreate[]
  readonly records: readonly (Json & {
    readonly suggestions: readonly (Json & { readonly question: string })[]
  })[]
}

const load = (found: Promise<{ readonly default: unknown }>): Promise<Example> =>
  found.then((module) => module.default as Example)

/** Each example is loaded when it is needed. */
export const examples = {
  support: () => load(import('./data/support-messages.json')),
  replies: () => load(import('./data/assistant-replies.json')),
  names: () => load(import('./data/names-in-news.json')),
} as const
export type ExampleName = keyof typeof examples
export const exampleNames = Object.keys(examples) as readonly ExampleName[]

/** Returns a name that is free in the workspace: the example's name, with a number if that name is taken. */
export const freeName = (name: string, taken: ReadonlySet<string>): string => {
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${name}-${number}`
    if (!taken.has(tried)) return tried
  }
}
