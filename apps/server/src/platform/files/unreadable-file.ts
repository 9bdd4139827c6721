import type { Message, Reason } from '@postil/contract/wire/message.ts'

/**
 * A file that can't be read in its declared format. The error's message is the rest of a sentence that begins with "The file".
 * `coded` is the whole sentence as data. It is undefined if the sentence has no code.
 */
export class UnreadableFile extends Error {
  readonly coded: Message | undefined
  constructor(rest: string, coded?: Message) {
    super(rest)
    this.coded = coded
  }

  get reason(): Reason {
    return this.coded ?? `The file ${this.message}`
  }
}
