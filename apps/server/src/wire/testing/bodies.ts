import { expect } from 'vitest'

const coded = (name: string, params: unknown) => ({ detail: { code: `argilla.api.errors::${name}`, params } })

/** Bodies of refusals, whole: nothing beside them may be in an answer. */
export const unauthorizedBody = coded('UnauthorizedError', { detail: 'Could not validate credentials' })
export const forbiddenBody = coded('ForbiddenOperationError', { detail: 'Operation not allowed' })
export const sentenceBody = { detail: expect.stringMatching(/\S \S/) }
export const businessBody = (code: string) => ({ code, message: expect.stringMatching(/\S \S/) })

type Part = string | number
/** A refusal of a schema: for each problem its type, then its place. */
export const validationBody = (...problems: readonly (readonly [type: string, ...loc: Part[]])[]) =>
  coded('ValidationError', { errors: problems.map(([type, ...loc]) => ({ type, loc, msg: expect.stringMatching(/\S \S/) })) })

/** Type and place of each problem of a 422, in its order. @throws Error for any other answer */
export const problemsIn = ({ status, body }: { readonly status: number; readonly body: unknown }): Part[][] => {
  const errors = (body as { detail?: { params?: { errors?: { type: string; loc: Part[] }[] } } }).detail?.params?.errors
  if (status !== 422 || errors === undefined) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return errors.map(({ type, loc }) => [type, ...loc])
}
