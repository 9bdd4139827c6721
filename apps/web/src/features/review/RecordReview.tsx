import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Comparison } from '@postil/contract/review.ts'
import { Suspense, useCallback, useMemo, useState } from 'react'
import { formatDateTime } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { keyShortcuts, shortCap } from '#lib/keys/caps.ts'
import { useBindings } from '#lib/keys/use-bindings.ts'
import { questionSlice } from '#question-types/registry.ts'
import { Button } from '#ui/controls/Button.tsx'
import { useSinglePress } from '#ui/controls/use-single-press.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { UndoIcon } from '#ui/marks/icons.tsx'
import { Kbd } from '#ui/marks/Kbd.tsx'
import {
  type Decision,
  type Decisions,
  decisionsFrom,
  initialDecisions,
  reviewedQuestions,
  type SentValues,
  valuesToSend,
} from './decisions.ts'
import type { UnsentGold } from './gold-sender.ts'
import { RecordFields } from './parts.ts'
import { QuestionReview } from './QuestionReview.tsx'
import styles from './RecordReview.module.css'
import { ReturnDialog } from './ReturnDialog.tsx'
import { ReviewShortcuts } from './ReviewShortcuts.tsx'
import { shownReviewed } from './shown-reviewed.ts'
import { useRecordReview } from './use-record-review.ts'

type Props = {
  readonly record: AnnotationRecord
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly comparison: Comparison
  /** The reviewer's decisions that aren't stored as final answers yet. */
  readonly edits: Decisions
  /** Final answers that the server hasn't stored yet. */
  readonly unsent: UnsentGold | null
  readonly hasPrevious: boolean
  readonly onDecide: (question: string, decision: Decision) => void
  readonly onFinish: (values: SentValues) => void
  readonly onKeepTheirs: () => void
  readonly onBack: () => void
  readonly onSkip: () => void
  /** Called when an answer was returned to its author. */
  readonly onReturned: () => void
}

export const RecordReview = (props: Props) => {
  const { record, fields, questions, comparison, edits, unsent, hasPrevious, onDecide, onFinish, onKeepTheirs, onBack, onSkip } =
    props
  const { onReturned } = props
  const { t } = useTranslation('features/review')
  const bindings = useBindings()
  const once = useSinglePress()
  const { gold } = comparison
  const all = useMemo(() => reviewedQuestions(questions, comparison, record.fields), [questions, comparison, record.fields])
  const initial = useMemo(
    () => (unsent ? decisionsFrom(all, unsent.next ?? unsent.values) : initialDecisions(all, gold)),
    [all, gold, unsent],
  )
  const decisions = useMemo(() => ({ ...initial, ...edits }), [initial, edits])
  const { metadata } = record
  const shownFor = useCallback((given: Decisions) => shownReviewed(all, given, metadata), [all, metadata])
  const reviewed = shownFor(decisions)
  const [isReturning, setReturning] = useState(false)
  const canReturn = comparison.answers.length > 0
  const review = useRecordReview({
    all,
    shownFor,
    gold,
    decisions,
    onDecide,
    onFinish: () => onFinish(valuesToSend(reviewed, decisions, gold)),
    onBack,
    onSkip,
    onReturn: () => canReturn && setReturning(true),
  })
  const { editing } = review
  const edited = editing && questionSlice(editing.question.settings).fieldEditing ? editing : null
  const conflict = unsent?.state.kind === 'conflict' ? unsent.state : null
  return (
    <div className={styles['record']}>
      <section
        ref={review.record}
        className={styles['fields']}
        aria-label={t('record')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        tabIndex={0}
      >
        <Suspense fallback={<Skeleton height="9lh" />}>
          <RecordFields
            record={record}
            fields={fields}
            questions={edited ? [edited.question] : []}
            answers={edited ? { [edited.question.name]: review.editedAnswer(edited) } : {}}
            search={null}
            sharedOf={review.sharedOf}
            onAnswer={review.on.answer}
            onFocusQuestion={review.on.focus}
          />
        </Suspense>
      </section>
      <form
        ref={review.form}
        className={styles['form']}
        aria-label={t('questions')}
        noValidate
        onSubmit={(event) => event.preventDefault()}
      >
        <div className={styles['scroll']}>
          {conflict && (
            <Notice kind="warning" action={<Button onClick={onKeepTheirs}>{t('conflict.keepTheirs')}</Button>}>
              {conflict.current
                ? t('conflict.changed', {
                    name: conflict.current.by.username ?? t('formerUser'),
                    time: formatDateTime(conflict.current.updated_at),
                  })
                : t('conflict.deleted')}
            </Notice>
          )}
          {gold?.stale && !conflict && <Notice kind="warning">{t('stale')}</Notice>}
          {gold?.final && !gold.stale && !conflict && (
            <Notice>{t('final', { name: gold.by.username ?? t('formerUser'), time: formatDateTime(gold.updated_at) })}</Notice>
          )}
          {reviewed.map((one) => (
            <QuestionReview
              key={one.question.id}
              reviewed={one}
              record={record}
              decisions={decisions}
              gold={gold}
              shared={review.sharedOf(one.question)}
              on={review.on}
              {...review.stateOf(one)}
            />
          ))}
          {canReturn && (
            <Button
              look="quiet"
              icon={UndoIcon}
              className={styles['return']}
              aria-keyshortcuts="R"
              onClick={() => setReturning(true)}
            >
              {t('return.open')}
              <Kbd>R</Kbd>
            </Button>
          )}
          <Button
            look="quiet"
            className={styles['shortcuts']}
            aria-keyshortcuts={keyShortcuts(bindings.help)}
            onClick={() => review.setHelpOpen(true)}
          >
            {t('shortcuts.title')}
            <Kbd>{shortCap(bindings.help)}</Kbd>
          </Button>
        </div>
        <div className={styles['footer']}>
          {review.hint !== null && <p className={styles['hint']}>{review.hint}</p>}
          <div className={styles['actions']}>
            <Button size="main" blocked={!hasPrevious} aria-keyshortcuts={keyShortcuts(bindings.discard)} onClick={onBack}>
              {t('back')}
              <Kbd>{shortCap(bindings.discard)}</Kbd>
            </Button>
            <Button size="main" aria-keyshortcuts={keyShortcuts(bindings.next)} onClick={once(onSkip)}>
              {t('skip')}
              <Kbd>{shortCap(bindings.next)}</Kbd>
            </Button>
            <Button
              look="primary"
              size="main"
              className={styles['finish']}
              aria-keyshortcuts={keyShortcuts(bindings.submit)}
              onClick={once(review.finish)}
            >
              {conflict ? t('conflict.replace') : t('finish')}
              <Kbd>{shortCap(bindings.submit)}</Kbd>
            </Button>
          </div>
        </div>
      </form>
      {review.isHelpOpen && (
        <Suspense>
          <ReviewShortcuts onClose={() => review.setHelpOpen(false)} />
        </Suspense>
      )}
      {isReturning && (
        <ReturnDialog
          comparison={comparison}
          about={reviewed.find(({ question }) => question.name === review.active) ?? null}
          decisions={decisions}
          onReturned={onReturned}
          onClose={() => setReturning(false)}
        />
      )}
    </div>
  )
}
