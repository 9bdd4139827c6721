import type { Import, ImportFile } from '@postil/contract/files/imports.ts'
import { matchAnnotator } from '@postil/contract/files/match-annotator.ts'
import type { User } from '@postil/contract/people/users.ts'

/** How the annotations of a person are imported: as suggestions, not at all, or as answers of the user with this ID. */
export type AnnotatorChoice = 'suggestions' | 'nothing' | `user:${string}`
/** The user's choices, keyed by the annotator's name in the file. For annotators without a choice, a proposed choice is used. */
export type AnnotatorChoices = { readonly [name: string]: AnnotatorChoice }

export type AnnotatorBody =
  | { readonly name: string; readonly as: 'answers'; readonly user_id: string }
  | { readonly name: string; readonly as: 'suggestions' | 'nothing' }

/** How many annotators can be mapped in the form. The annotations of any further annotators are imported as suggestions. */
export const maxMappedAnnotators = 100

type Person = Pick<User, 'id' | 'username' | 'first_name' | 'last_name'>

const valueFor = (id: string): AnnotatorChoice => `user:${id}`

/**
 * Adds people who aren't in the file's first rows, but whom an earlier import of the same file found. Their annotations can then
 * be imported too.
 */
export const withLatePeople = <F extends Pick<ImportFile, 'name' | 'contents'>>(file: F, imports: readonly Import[]): F => {
  const { contents } = file
  if (contents === null || contents.whole) return file
  const known = new Map(contents.annotations.map((person) => [person.name, person]))
  for (const { file: imported, job } of imports) {
    if (imported.name !== file.name) continue
    for (const person of job.import?.answers?.unmapped_annotators ?? [])
      if (!known.has(person.name)) known.set(person.name, person)
  }
  return { ...file, contents: { ...contents, annotations: [...known.values()] } }
}

/**
 * Returns how a person's annotations are imported. If nothing was chosen, they are imported as answers of the user with the same
 * name or, if there is no such user, as suggestions.
 */
export const choiceOf = (name: string, choices: AnnotatorChoices, people: readonly Person[]): AnnotatorChoice => {
  const chosen = Object.hasOwn(choices, name) ? choices[name] : undefined
  const isPossible = chosen === 'suggestions' || chosen === 'nothing' || people.some(({ id }) => valueFor(id) === chosen)
  if (chosen !== undefined && isPossible) return chosen
  const user = matchAnnotator(name, people)
  return user === null ? 'suggestions' : valueFor(user.id)
}

/** Returns the `annotators` of an import's mapping: for each annotator in a file, how this person's annotations are imported. */
export const annotatorsOf = (
  { contents }: Pick<ImportFile, 'contents'>,
  choices: AnnotatorChoices,
  people: readonly Person[],
): readonly AnnotatorBody[] =>
  (contents?.annotations ?? []).slice(0, maxMappedAnnotators).map(({ name }) => {
    const choice = choiceOf(name, choices, people)
    if (choice === 'suggestions' || choice === 'nothing') return { name, as: choice }
    return { name, as: 'answers', user_id: choice.slice('user:'.length) }
  })

/**
 * Whether any annotations are imported as answers or are left out. If all annotations are imported as suggestions, a mapping
 * doesn't have to name annotators.
 */
export const isMapped = (annotators: readonly AnnotatorBody[]): boolean => annotators.some(({ as }) => as !== 'suggestions')

/**
 * Returns how each annotator's annotations are imported according to a stored mapping. Ignores values in another format, which
 * other programs may have written.
 */
export const storedChoices = (mapping: unknown): AnnotatorChoices => {
  const list = typeof mapping === 'object' && mapping !== null ? Reflect.get(mapping, 'annotators') : null
  const choices = (Array.isArray(list) ? list : []).flatMap((one: Partial<AnnotatorBody> | null): [string, AnnotatorChoice][] => {
    if (typeof one?.name !== 'string') return []
    if (one.as === 'suggestions' || one.as === 'nothing') return [[one.name, one.as]]
    return one.as === 'answers' && typeof one.user_id === 'string' ? [[one.name, valueFor(one.user_id)]] : []
  })
  return Object.fromEntries(choices)
}
