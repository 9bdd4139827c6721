import { expect } from 'vitest'

const coded = (name: string, params: unknown) => ({ detail: { code: `argilla.api.errors::${name}`, params } })

/** The complete bodies of error responses. A response must contain nothing else. */
export const unauthorizedBody = coded('UnauthorizedError', { detail: 'Could not validate credentials' })
export const forbiddenBody = coded('ForbiddenOperationError', { detail: 'Operation not allowed' })
export const sentenceBody = { detail: expect.stringMatching(/\S \S/) }
export const businessBody = (code: string) => ({ code, message: expect.stringMatching(/\S \S/) })

type Part = string | number
/** The body of a 422 response. Each problem is given as its type, followed by its location. */
export const validationBody = (...problems: readonly (readonly [type: string, ...loc: Part[]])[]) =>
  coded('ValidationError', { errors: problems.map(([type, ...loc]) => ({ type, loc, msg: expect.stringMatching(/\S \S/) })) })

/** The type and location of each problem in a 422 response, in order. @throws Error for any other response */
export const problemsIn = ({ status, body }: { readonly status: number; readonly body: unknown }): Part[][] => {
  const errors = (body as { detail?: { params?: { errors?: { type: string; loc: Part[] }[] } } }).detail?.params?.errors
  if (status !== 422 || errors === undefined) throw new Error(`the server answered ${status} ${JSON.stringify(body)}`)
  return errors.map(({ type, loc }) => [type, ...loc])
}
