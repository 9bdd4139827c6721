import type { Client, Response } from '@postil/testkit/client.ts'
import { type Sent, send } from '../send.ts'
import { forms } from './all.ts'
import type { Form, Part, Rule } from './rule.ts'

/** Marks a missing key. */
export const absent = Symbol('absent')
type Tree = { [key: string]: unknown }

/** Returns a copy with a different value at a path. Missing objects along the path are created. */
export const withValue = (body: unknown, at: readonly Part[], value: unknown): unknown => {
  const copy: unknown = structuredClone(body)
  let inner = copy as Tree
  for (const part of at.slice(0, -1)) {
    inner[part] ??= {}
    inner = inner[part] as Tree
  }
  const last = at.at(-1) ?? ''
  if (value === absent) delete inner[last]
  else inner[last] = value
  return copy
}
export const valueAt = (tree: unknown, at: readonly Part[]): unknown =>
  at.reduce<unknown>((inner, part) => (inner as Tree)?.[part], tree)

const nameOf = ({ id, what }: Form): string => (what === undefined ? id : `${id}, ${what}`)

/** All forms, each with its name, as rows for `test.each`. */
export const namedForms = forms.map((form) => [nameOf(form), form] as const)
export const namedRules = forms.flatMap((form) =>
  form.rules.map((rule) => [`${nameOf(form)}: ${rule.at.join('.')}`, form, rule] as const),
)

/** The values that a key accepts. Each is paired with the value that is read back, if that value differs from the one sent. */
export const goods = ({ accepted, nullable, presence }: Rule) => [
  ...accepted,
  ...(nullable === 'yes' ? [[null, undefined] as const] : []),
  ...(presence === 'optional' ? [[absent, undefined] as const] : []),
]

/** Sends a request that starts a job. If the user has too many jobs, retries until one of them has ended. */
export const sendInTurn = async (client: Client, id: string, sent: Sent): Promise<Response<unknown>> => {
  for (;;) {
    const answer = await send(client, id, sent)
    if (answer.status !== 429) return answer
    await new Promise((done) => setTimeout(done, 100))
  }
}
