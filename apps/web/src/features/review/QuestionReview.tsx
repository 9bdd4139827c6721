import type { Gold, GoldReason } from '@postil/contract/gold.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { type KeyboardEvent, type MouseEvent, Suspense, useId } from 'react'
import { formatAgreement, formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Answer } from '#lib/drafts/draft.ts'
import type { ChangeOptions, Shared } from '#question-types/define.ts'
import type { KeyRegistry } from '#question-types/question-keys.ts'
import { questionSlice } from '#question-types/registry.ts'
import bar from '#question-types/shared/margin-bar.module.css'
import { isSameValue, valueText } from '#question-types/value-text.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { CheckIcon, EditIcon } from '#ui/marks/icons.tsx'
import { Kbd } from '#ui/marks/Kbd.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import { CandidateRow, NoneRow } from './CandidateRow.tsx'
import {
  answerCount,
  type Candidate,
  candidatesOf,
  type Decisions,
  decisionOn,
  isDisputed,
  type ReviewedQuestion,
} from './decisions.ts'
import { QuestionBlock } from './parts.ts'
import styles from './QuestionReview.module.css'
import { ReasonBar } from './ReasonBar.tsx'

type Props = {
  readonly reviewed: ReviewedQuestion
  readonly record: AnnotationRecord
  readonly decisions: Decisions
  readonly gold: Gold | null
  /** Whether shortcuts apply to this question. */
  readonly isActive: boolean
  /** Whether the question is shown in one line. */
  readonly isFolded: boolean
  /** The answer in the question's input. Null if the input is closed. */
  readonly editing: Answer | null
  readonly isNoteOpen: boolean
  /** Whether the reviewer has tried to finish the record although this question had no decision. */
  readonly isMissing: boolean
  readonly keys: KeyRegistry
  readonly shared: Shared
  readonly on: {
    readonly focus: (question: Question) => void
    readonly unfold: (question: Question) => void
    readonly pick: (question: Question, candidate: Candidate) => void
    readonly pickNone: (question: Question) => void
    readonly majority: (question: Question) => void
    readonly edit: (question: Question) => void
    readonly answer: (question: Question, answer: Answer, options?: ChangeOptions) => void
    readonly reason: (question: Question, reason: GoldReason) => void
    readonly note: (question: Question, note: string) => void
    readonly openNote: (question: Question) => void
    readonly leaveNote: (question: Question) => void
  }
}

/** Says that there are no answers, that the question gets no final answer, or how many people gave the same answer. */
const useSummary = ({ compared, question }: ReviewedQuestion, decisions: Decisions): string => {
  const { t } = useTranslation('features/review')
  const count = answerCount(compared)
  if (count === 0) return t('noAnswers')
  if (decisionOn(decisions, question)?.value === null) return t('none')
  return count === 1 ? t('onlyAnswer') : t('allAgree', { count, shown: formatCount(count) })
}

/** A question that is shown in one line because people agree on its answer. It can be unfolded. */
const FoldedQuestion = ({ reviewed, decisions, isActive, on }: Props) => {
  const { question } = reviewed
  const value = decisionOn(decisions, question)?.value ?? null
  const summary = useSummary(reviewed, decisions)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: focus inside activates the question
    <div
      tabIndex={-1}
      className={bar['block']}
      data-reviewed={question.name}
      data-active={isActive ? '' : undefined}
      onFocus={() => on.focus(question)}
    >
      <button type="button" aria-expanded={false} className={styles['unfold']} onClick={() => on.unfold(question)}>
        <bdi className={styles['foldedTitle']}>{question.title}</bdi>
        {value !== null && <bdi className={styles['foldedValue']}>{valueText(question, value)}</bdi>}
        <span className={styles['summary']}>
          {value !== null && <CheckIcon size={12} />}
          {summary}
        </span>
        <ChevronDownIcon size={14} />
      </button>
    </div>
  )
}

/** A question with the answers to choose from. */
export const QuestionReview = (props: Props) => {
  const { reviewed, record, decisions, gold, isActive, isFolded, editing, isNoteOpen, isMissing, keys, shared, on } = props
  const { t } = useTranslation('features/review')
  const id = useId()
  if (isFolded) return <FoldedQuestion {...props} />
  const { question, compared } = reviewed
  const decision = decisionOn(decisions, question)
  const candidates = candidatesOf(reviewed, decisions, gold).filter(({ isOwn }) => !isOwn || editing === null)
  const [first] = candidates
  const slice = questionSlice(question.settings)
  const pickedAt = candidates.findIndex(({ value }) => decision?.value != null && isSameValue(value, decision.value))
  const isDecidedNone = decision?.value === null && !question.required
  const withFocus = (act: () => void) => (event: MouseEvent<HTMLElement>) => {
    // A click triggered by a key has a `detail` of zero.
    if (event.detail > 0) event.currentTarget.closest<HTMLElement>('[data-reviewed]')?.focus({ preventScroll: true })
    act()
  }
  // The left and right arrow keys move between the answers. Up and down move between the questions.
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const radios = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=radio]')]
    const at = radios.indexOf(event.target as HTMLElement)
    const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: radios.length - 1 }[event.key]
    if (at < 0 || target === undefined) return
    event.preventDefault()
    radios[Math.min(radios.length - 1, Math.max(0, target))]?.focus()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't have the focus, which a question's keys need
    <div
      role="group"
      aria-labelledby={id}
      tabIndex={-1}
      className={classNames(bar['block'], styles['question'])}
      data-reviewed={question.name}
      data-active={isActive ? '' : undefined}
      data-missing={isMissing ? '' : undefined}
      onFocus={() => on.focus(question)}
    >
      <div className={styles['head']} hidden={editing !== null}>
        <h2 id={id} className={styles['title']}>
          <bdi>{question.title}</bdi>
        </h2>
        <span className={styles['agreement']}>
          {compared.agreement !== null && t('agreement', { agreement: formatAgreement(compared.agreement) })}
        </span>
        <span className={styles['tools']}>
          {isDisputed(compared) && (
            <Button look="quiet" data-option="" aria-keyshortcuts="M" onClick={() => on.majority(question)}>
              {t('majority')}
              <Kbd>M</Kbd>
            </Button>
          )}
          <Button look="quiet" icon={EditIcon} data-option="" aria-keyshortcuts="E" onClick={() => on.edit(question)}>
            {t('edit')}
            <Kbd>E</Kbd>
          </Button>
        </span>
      </div>
      {isMissing && <p className={styles['missing']}>{question.required ? t('missing') : t('missingOptional')}</p>}
      {editing && (
        <div className={styles['editor']}>
          <Suspense fallback={<Skeleton height="4lh" />}>
            <QuestionBlock
              question={question}
              answer={editing}
              suggestion={null}
              fields={record.fields}
              shared={shared}
              keys={keys}
              isActive={isActive}
              isMissing={false}
              onAnswer={on.answer}
              onFocus={on.focus}
            />
          </Suspense>
        </div>
      )}
      {(candidates.length > 0 || !question.required) && (
        <div role="radiogroup" aria-labelledby={id} className={styles['candidates']} onKeyDown={onKeyDown}>
          {candidates.map((candidate, index) => (
            <CandidateRow
              key={JSON.stringify(candidate.value)}
              question={question}
              fields={record.fields}
              candidate={candidate}
              // A label or a rating differs as a whole, so there are no parts to mark.
              other={index === 0 || slice.isQuick ? undefined : first?.value}
              number={index + 1}
              isPicked={index === pickedAt}
              isStale={gold?.stale ?? false}
              isTabStop={index === (isDecidedNone ? -1 : Math.max(0, pickedAt))}
              onPick={withFocus(() => on.pick(question, candidate))}
            />
          ))}
          {!question.required && (
            <NoneRow
              isPicked={isDecidedNone}
              isTabStop={isDecidedNone || candidates.length === 0}
              onPick={withFocus(() => on.pickNone(question))}
            />
          )}
        </div>
      )}
      {candidates.length === 0 && editing === null && <p className={styles['agreement']}>{t('noAnswers')}</p>}
      {compared.without > 0 && candidates.length > 0 && (
        <p className={styles['agreement']}>{t('without', { count: compared.without, shown: formatCount(compared.without) })}</p>
      )}
      {(isActive || decision?.reason != null || isNoteOpen) && (
        <ReasonBar
          decision={decision ?? { reason: null, note: '' }}
          isNoteOpen={isNoteOpen}
          onReason={(reason) => on.reason(question, reason)}
          onNote={(note) => on.note(question, note)}
          onOpenNote={() => on.openNote(question)}
          onLeaveNote={() => on.leaveNote(question)}
        />
      )}
    </div>
  )
}
