import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { Outbox } from '#lib/outbox/outbox.ts'
import type { Change, Mutation } from '#lib/outbox/types.ts'
import type { ListItem } from '../queue/list-item.ts'
import { answersFromValues, suggestedAnswers } from './answers.ts'

/** The user's current answers: the last change in the outbox or, if there is none, the server's answer. */
export class CurrentAnswers {
  readonly #questions: readonly Question[]
  readonly #outbox: Pick<Outbox, 'snapshot'>

  constructor(questions: readonly Question[], outbox: Pick<Outbox, 'snapshot'>) {
    this.#questions = questions
    this.#outbox = outbox
  }

  /** Returns the last unconfirmed change to a record's answer. */
  readonly lastEntry = (recordId: string): Mutation | null => this.#outbox.snapshot().lines.get(recordId)?.entries.at(-1) ?? null

  /**
   * Returns the change that leads to the current answer: the last unconfirmed change, or one that saves the server's answer. If
   * there is no answer, it is a change that removes the answer.
   */
  changeOf({ record, serverAnswer }: ListItem): Change {
    const entry = this.lastEntry(record.id)
    if (entry) return entry.change
    if (!serverAnswer) return { kind: 'remove' }
    const { status, values, suggestion_outcomes, shown } = serverAnswer
    return { kind: 'save', status, values, suggestion_outcomes, ...(shown && { shown }) }
  }

  readonly statusOf = (item: ListItem): RecordFilterStatus => {
    // A rejected answer is ignored, because its record is open again.
    const isRejected = this.#outbox.snapshot().lines.get(item.record.id)?.issue?.kind === 'rejected'
    if (isRejected) return item.serverAnswer?.status ?? 'pending'
    const change = this.changeOf(item)
    return change.kind === 'save' ? change.status : 'pending'
  }

  /** Returns the current answer, or the suggestions if there is none. */
  answersOf(item: ListItem): Answers {
    return this.answersAfter(this.changeOf(item), item)
  }

  /** Returns what the form of a record shows after a change. */
  answersAfter(change: Change, { record }: Pick<ListItem, 'record'>): Answers {
    return change.kind === 'save'
      ? answersFromValues(this.#questions, change.values, change.suggestion_outcomes)
      : suggestedAnswers(this.#questions, record)
  }
}
