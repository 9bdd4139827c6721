import type { Question } from '@postil/contract/questions.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { Drafts } from '#lib/drafts/drafts.ts'
import type { BaseVersion } from '#lib/outbox/types.ts'
import type { ListItem } from '../queue/list-item.ts'
import { answersFromDraft } from './answers.ts'
import type { CurrentAnswers } from './current-answers.ts'
import { createOrigins } from './edit-origins.ts'
import type { Form } from './form.ts'
import { createForm } from './form.ts'

type Options = {
  readonly questions: readonly Question[]
  readonly drafts: Drafts
  readonly current: CurrentAnswers
  /** Called on every edit of a record. */
  readonly onEdit: (recordId: string) => void
  /** Returns a record in the list that is on the screen. */
  readonly find: (recordId: string) => ListItem | null
}

const versionIn = (item: ListItem | null): BaseVersion => item?.serverAnswer?.version ?? null

/**
 * The forms of the records, keyed by record ID. Edits are stored on the device as soon as they are made, so that none are lost.
 */
export class RecordForms {
  readonly #options: Options
  readonly #forms = new Map<string, Form>()
  readonly #origins: ReturnType<typeof createOrigins>

  constructor(options: Options) {
    this.#options = options
    this.#origins = createOrigins(options.current.lastEntry)
  }

  /** Returns the form of a record, with the edits that are stored on the device. */
  readonly of = (item: ListItem): Form => {
    const { id } = item.record
    const known = this.#forms.get(id)
    if (known) return known
    const { questions, drafts, current } = this.#options
    const draft = drafts.get(id)
    const form = createForm({
      questions,
      base: current.answersOf(item),
      edits: draft ? answersFromDraft(questions, draft.answers) : null,
      onEdits: (answers) => this.#storeEdits(id, answers),
    })
    this.#origins.open(id, draft, versionIn(item))
    this.#forms.set(id, form)
    return form
  }

  /** Returns the form of a record if it has been shown. */
  find(recordId: string): Form | null {
    return this.#forms.get(recordId) ?? null
  }

  /** Whether a record has unsent edits, perhaps from an earlier visit. */
  readonly isEdited = (recordId: string): boolean =>
    this.find(recordId)?.snapshot().isEdited ?? this.#options.drafts.get(recordId) !== null

  /** Returns the version of the server's answer on which a new answer to the record is based. */
  baseOf(item: ListItem): BaseVersion {
    const { id } = item.record
    return this.#origins.ofAnswer(id, versionIn(this.#options.find(id) ?? item))
  }

  /** Called when the user has answered a record. Later edits of the record are based on this answer. */
  answered(recordId: string): void {
    this.#origins.given(recordId)
  }

  /** Called when the server has confirmed an answer. `before` is the record's state before the confirmation. */
  confirmed(before: ListItem, { isOwn }: { readonly isOwn: boolean }): void {
    const { id } = before.record
    const { current, drafts, find } = this.#options
    const item = find(id)
    const form = this.find(id)
    if (!item || !form || current.lastEntry(id)) return
    if (isOwn) form.rebase(current.answersOf(item))
    else if (!form.snapshot().isEdited) form.replace(current.answersOf(item))
    else this.#origins.overtaken(id, drafts.get(id), versionIn(before))
  }

  /** The draft store keeps edits in memory immediately. If the device can't store them, the outbox reports that. */
  #storeEdits(recordId: string, answers: Answers | null): void {
    const { drafts, find, onEdit } = this.#options
    const base_version = this.#origins.ofEdits(recordId, versionIn(find(recordId)))
    const write = answers ? drafts.put(recordId, { answers, base_version }) : drafts.drop(recordId)
    write.catch(() => undefined)
    if (answers) onEdit(recordId)
  }
}
