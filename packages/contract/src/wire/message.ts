import type { reasonSentences } from './reasons.ts'
import type { refusalSentences } from './refusals.ts'

type Sentences = typeof refusalSentences & typeof reasonSentences
export type MessageCode = keyof Sentences

/** A message as data: the code of a sentence, and its parameters. `reason` is inserted in place of `{reason}` in the sentence. */
export type Message = {
  readonly code: MessageCode
  readonly params: { readonly [name: string]: string }
  readonly reason?: Reason
}
/** Why something failed: a message, or English text that has no code, for example another program's error. */
export type Reason = Message | string

type ParamNames<S extends string> = S extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never
type Params<C extends MessageCode> = { readonly [N in Exclude<ParamNames<Sentences[C]>, 'reason'>]: string | number }
type Args<C extends MessageCode> =
  'reason' extends ParamNames<Sentences[C]>
    ? [params: Params<C>, reason: Reason]
    : [ParamNames<Sentences[C]>] extends [never]
      ? []
      : [params: Params<C>]

/**
 * Creates a message. The compiler checks the parameters against the English sentence. The sentences themselves are not loaded, so
 * the web app can use this.
 */
export const message = <C extends MessageCode>(code: C, ...[params, reason]: Args<C>): Message => ({
  code,
  params: Object.fromEntries(Object.entries(params ?? {}).map(([name, value]) => [name, String(value)])),
  ...(reason !== undefined && { reason }),
})
