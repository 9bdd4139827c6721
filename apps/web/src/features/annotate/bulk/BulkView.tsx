import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import type { ViewProps } from '../components/ViewFrame.tsx'
import { useHelp, ViewFrame } from '../components/ViewFrame.tsx'
import { isInText } from '../form/answers.ts'
import { useShortcuts } from '../keys/use-shortcuts.ts'
import { useKept } from '../layout-store.ts'
import { useMedia } from '../use-media.ts'
import { AnswerJobs } from './AnswerJobs.tsx'
import { BulkForm } from './BulkForm.tsx'
import { BulkHeader } from './BulkHeader.tsx'
import { ConfirmMany } from './ConfirmMany.tsx'
import { MatchedBar } from './MatchedBar.tsx'
import type { ListHandle } from './RecordList.tsx'
import { RecordList } from './RecordList.tsx'
import { useBulkAnswers } from './use-bulk-answers.ts'
import { useJobUndo } from './use-job-undo.ts'
import { useMatched } from './use-matched.ts'
import { useSelectAll } from './use-select-all.ts'
import { useSelection } from './use-selection.ts'

type Props = ViewProps & {
  readonly onSize: (size: number) => void
  /** Reads everything anew, after the server has answered records. */
  readonly onAnew: () => void
}

/** A page of records, and one set of answers for those that are selected. */
export const BulkView = ({ onSize, onAnew, ...view }: Props) => {
  const { dataset, fields, questions, query, annotation, lastDeed, onQuery } = view
  const { annotator, queue, shown } = annotation
  const { items } = shown
  const isSmall = useMedia('(max-width: 56rem)')
  const [isWhole, setWhole] = useKept(`bulk-whole:${dataset.id}`, false as boolean)
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

  const common = useMemo(() => questions.filter((question) => !isInText(question)), [questions])
  const inText = questions.filter(isInText)
  // A record that waits for a decision is on the page, yet no more to be answered with others.
  const selectable = items.filter((item) => annotator.statusOf(item) === query.status)
  const selection = useSelection(selectable)
  const { selected } = selection
  const matched = useMatched({
    dataset,
    questions,
    query,
    total: shown.total,
    onStarted: (jobId) => {
      answers.handedOver(jobId)
      selection.clear()
    },
  })
  const jobUndo = useJobUndo(dataset.id)
  const answers = useBulkAnswers({
    annotator,
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
  const toPage = (move: () => void): void => {
    clear()
    move()
  }
  /** The keys act on the records again: on the button they would press it once more. */
  const beside = (work: () => void): void => {
    work()
    list.current?.focus()
  }
  const next = (): void => toPage(queue.next)
  const previous = (): void => toPage(() => void queue.previous())
  const betweenFormAndList = (): void => {
    const question = document.activeElement?.closest('[data-question]')
    if (question && question === document.activeElement) list.current?.focus()
    else screen.focusQuestion(screen.active ?? undefined)
  }
  const deeds = {
    submit: () => answers.save('submitted'),
    discard: () => answers.save('discarded'),
    saveDraft: () => answers.save('draft'),
    next,
    previous,
    nextQuestion: () => screen.moveFocus(1),
    previousQuestion: () => screen.moveFocus(-1),
    toQuestion: betweenFormAndList,
    undo: answers.undo,
    redo: () => void screen.form?.redo(),
    help: help.open,
  }
  useShortcuts({
    form: screen.formElement,
    record: listElement,
    offer: (press) => screen.keys.offer(press, screen.active),
    onDeed: (deed) => deeds[deed](),
  })
  useSelectAll({ form: screen.formElement, list: listElement, onAll: selection.selectPage })

  // Cards are told once what to call: they are many, and only some of them change.
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
        isWhole={isWhole}
        onPage={selection.selectPage}
        onNone={() => {
          matched.clear()
          selection.selectNone()
        }}
        onSize={(number) => toPage(() => onSize(number))}
        onWhole={setWhole}
      />
      {(matched.isAll || canSelectAll) && (
        <MatchedBar
          total={matched.count}
          isAll={matched.isAll}
          onAll={() => beside(matched.select)}
          onNone={() => beside(matched.clear)}
        />
      )}
      <RecordList
        ref={list}
        items={items}
        position={shown.position}
        selected={new Set(selected.map((item) => item.record.id))}
        selectable={new Set(selectable.map((item) => item.record.id))}
        similarityOf={annotation.similarityOf}
        hasFailed={shown.problem !== null}
        onAgain={() => void queue.open()}
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
        isWhole={isWhole}
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
      lastDeed={lastDeed}
      onUndo={() => beside(annotator.undoDeed)}
      onSubmit={deeds.submit}
      onDiscard={deeds.discard}
      onSaveDraft={deeds.saveDraft}
      onClear={answers.clear}
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
        asked={common}
        onNext={next}
        onPrevious={previous}
        onUndo={annotator.undoDeed}
        aboveList={<AnswerJobs datasetId={dataset.id} undo={jobUndo} onEnded={onAnew} />}
        onAsideClosed={() => list.current?.focus()}
      />
      {answers.asked && (
        <ConfirmMany
          status={answers.asked}
          count={count}
          common={common}
          answers={answers.given()}
          inText={inText}
          matched={matched.isAll ? matched : null}
          onConfirm={answers.confirm}
          onClose={answers.giveUp}
        />
      )}
    </>
  )
}
