import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useMedia } from '#ui/page/use-media.ts'
import { isOfRecord } from '../answering/answers.ts'
import { useShortcuts } from '../answering/keys/use-shortcuts.ts'
import { useStoredLayout } from '../layout/use-stored-layout.ts'
import type { ViewProps } from '../layout/ViewFrame.tsx'
import { useHelp, ViewFrame } from '../layout/ViewFrame.tsx'
import type { ListItem } from '../queue/list-item.ts'
import { AnswerJobs } from './AnswerJobs.tsx'
import { BulkForm } from './BulkForm.tsx'
import { BulkHeader } from './BulkHeader.tsx'
import { ConfirmBulkDialog } from './ConfirmBulkDialog.tsx'
import { MatchedBar } from './MatchedBar.tsx'
import type { ListHandle } from './RecordCards.tsx'
import { RecordCards } from './RecordCards.tsx'
import { useBulkAnswers } from './use-bulk-answers.ts'
import { useJobUndo } from './use-job-undo.ts'
import { useMatchedRecords } from './use-matched-records.ts'
import { useSelectAll, useSelection } from './use-selection.ts'

type Props = ViewProps & {
  readonly onSize: (size: number) => void
  /** Reloads everything after a bulk answer job. */
  readonly onReload: () => void
}

const hasSuggestions = ({ record }: ListItem): boolean => (record.suggestions ?? []).length > 0

/** A page of records, with one form that answers all selected records. */
export const BulkView = ({ onSize, onReload, ...view }: Props) => {
  const { dataset, fields, questions, query, annotation, lastAction, onQuery } = view
  const { annotator, records, shown } = annotation
  const { items } = shown
  const isSmall = useMedia('(max-width: 56rem)')
  const [isExpanded, setExpanded] = useStoredLayout(`bulk-whole:${dataset.id}`, false as boolean)
  const [isCompact, setCompact] = useStoredLayout(`bulk-compact:${useUser().id}`, false as boolean)
  const help = useHelp()
  const list = useRef<ListHandle>(null)
  const listElement = useMemo(
    () => ({
      get current() {
        return list.current?.element() ?? null
      },
    }),
    [],
  )

  const common = useMemo(() => questions.filter((question) => !isOfRecord(question)), [questions])
  const inText = questions.filter(isOfRecord)
  // The page may still show records whose status has changed, for example because their answer has a conflict. They can't be part
  // of a bulk answer.
  const selectable = items.filter((item) => annotator.statusOf(item) === query.status)
  const selection = useSelection(selectable)
  const { selected } = selection
  const matched = useMatchedRecords({
    dataset,
    questions,
    query,
    total: shown.total,
    onStarted: (jobId) => {
      answers.jobStarted(jobId)
      selection.clear()
    },
  })
  const jobUndo = useJobUndo(dataset.id)
  const answers = useBulkAnswers({
    annotator,
    questions,
    common,
    selected,
    matched: matched.isAll ? matched : null,
    jobUndo,
    onDone: selection.clear,
  })
  const { screen } = answers

  const clear = (): void => {
    matched.clear()
    selection.clear()
  }
  const changePage = (move: () => void): void => {
    clear()
    move()
  }
  /** Moves the focus back to the records, so that further key presses don't activate the button again. */
  const withListFocus = (work: () => void): void => {
    work()
    list.current?.focus()
  }
  const next = (): void => changePage(() => records.next())
  const previous = (): void => changePage(() => void records.previous())
  const toggleFormAndList = (): void => {
    const question = document.activeElement?.closest('[data-question]')
    if (question && question === document.activeElement) list.current?.focus()
    else screen.focusQuestion(screen.active ?? undefined)
  }
  const actions = {
    submit: () => answers.save('submitted'),
    discard: () => answers.save('discarded'),
    saveDraft: () => answers.save('draft'),
    next,
    previous,
    nextQuestion: () => screen.moveFocus(1),
    previousQuestion: () => screen.moveFocus(-1),
    toQuestion: toggleFormAndList,
    undo: answers.undo,
    redo: () => void screen.form?.redo(),
    help: help.open,
  }
  useShortcuts({
    form: screen.formElement,
    record: listElement,
    dispatch: (press) => screen.keys.dispatch(press, screen.active),
    onAction: (action) => actions[action](),
  })
  useSelectAll({ form: screen.formElement, list: listElement, onAll: selection.selectPage })

  // There are many cards, and only a few change at a time. Stable callbacks let React skip the unchanged cards.
  const latest = useRef({ selection, matched, onQuery })
  useEffect(() => {
    latest.current = { selection, matched, onQuery }
  })
  const onToggle = useCallback((id: string, upTo: boolean): void => {
    latest.current.matched.clear()
    latest.current.selection.toggle(id, upTo)
  }, [])
  const onInclude = useCallback((id: string): void => latest.current.selection.include(id), [])
  const onFindSimilar = useCallback(
    (similarity: NonNullable<AnnotationQuery['similarity']>): void => latest.current.onQuery({ similarity }),
    [],
  )

  const count = matched.isAll ? matched.count : selected.length
  const size = query.page.mode === 'bulk' ? query.page.size : 1
  const hasItems = items.length > 0
  const isWholePage = selectable.length > 0 && selected.length === selectable.length
  const canSelectAll = isWholePage && matched.count > selectable.length
  const record = hasItems && (
    <>
      <BulkHeader
        selected={selected.length}
        selectable={selectable.length}
        count={count}
        size={size}
        isExpanded={isExpanded}
        onPage={selection.selectPage}
        onNone={() => {
          matched.clear()
          selection.selectNone()
        }}
        onSize={(number) => changePage(() => onSize(number))}
        onExpanded={setExpanded}
        isCompact={isCompact}
        onCompact={setCompact}
      />
      {(matched.isAll || canSelectAll) && (
        <MatchedBar
          total={matched.count}
          isAll={matched.isAll}
          onAll={() => withListFocus(matched.select)}
          onNone={() => withListFocus(matched.clear)}
        />
      )}
      <RecordCards
        ref={list}
        items={items}
        position={shown.position}
        selected={new Set(selected.map((item) => item.record.id))}
        selectable={new Set(selectable.map((item) => item.record.id))}
        similarityOf={annotation.similarityOf}
        hasFailed={shown.problem !== null}
        onRetry={() => void records.open()}
        onStep={(from, to) => {
          matched.clear()
          selection.step(from, to)
        }}
        fields={fields}
        questions={questions}
        common={common}
        annotator={annotator}
        search={query.search}
        similarity={query.similarity}
        isExpanded={isExpanded}
        isCompact={isCompact}
        onToggle={onToggle}
        onInclude={onInclude}
        onFindSimilar={onFindSimilar}
      />
    </>
  )
  const form = hasItems && (
    <BulkForm
      datasetId={dataset.id}
      annotator={annotator}
      status={query.status}
      common={common}
      inText={inText}
      screen={screen}
      count={count}
      isSmall={isSmall}
      lastAction={lastAction}
      onUndo={() => withListFocus(annotator.undoAction)}
      onSubmit={actions.submit}
      onDiscard={actions.discard}
      onSaveDraft={actions.saveDraft}
      onClear={answers.clear}
      onAcceptSuggestions={items.some(hasSuggestions) ? () => withListFocus(answers.acceptSuggestions) : null}
      canAccept={matched.isAll || selected.some(hasSuggestions)}
    />
  )
  return (
    <>
      <ViewFrame
        isBulk
        view={view}
        isSmall={isSmall}
        record={record || null}
        form={form || null}
        help={help}
        shownQuestions={common}
        onNext={next}
        onPrevious={previous}
        onUndo={annotator.undoAction}
        aboveList={<AnswerJobs datasetId={dataset.id} undo={jobUndo} onEnded={onReload} />}
        onSidePanelClosed={() => list.current?.focus()}
      />
      {answers.confirming && (
        <ConfirmBulkDialog
          action={answers.confirming}
          offers={answers.offers}
          accepted={answers.accepted}
          leftOut={answers.countLeftOut()}
          onToggle={answers.toggleAccepted}
          count={count}
          common={common}
          answers={answers.commonAnswers()}
          inText={inText}
          matched={matched.isAll ? matched : null}
          onConfirm={answers.confirm}
          onClose={answers.cancel}
        />
      )}
    </>
  )
}
