import type { Similarity, TextSearch } from '@postil/contract/annotation-query/grammar.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { MouseEvent } from 'react'
import { memo, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { formatCount, formatPercent } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useSaveState } from '#lib/outbox/use-outbox.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { ChevronUpIcon, EditIcon } from '#ui/marks/icons.tsx'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import type { Annotator } from '../answering/annotator.ts'
import type { ListItem } from '../queue/list-item.ts'
import { RecordMenu } from '../record/RecordMenu.tsx'
import { RecordNotice } from '../record/RecordNotice.tsx'
import { useFindSimilar } from '../similarity/use-find-similar.tsx'
import { CardBody } from './CardBody.tsx'
import { CompactBody } from './CompactBody.tsx'
import styles from './RecordCard.module.css'
import { onceNear } from './render-near.ts'

type CardMenuProps = {
  readonly record: ListItem['record']
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly annotator: Annotator
  readonly onFind: (similarity: Similarity) => void
}

/** The menu of one of the page's records. Memoized, so that selecting a card doesn't render it again. */
const CardMenu = memo(({ record, fields, questions, annotator, onFind }: CardMenuProps) => {
  const { find, dialog } = useFindSimilar({ record, onFind })
  return (
    <>
      <RecordMenu {...{ record, fields, questions, annotator }} onFindSimilar={find} />
      {dialog}
    </>
  )
})

/** The props that all cards of a list share. */
export type CardParts = {
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  /** The questions of the form. */
  readonly common: readonly Question[]
  readonly annotator: Annotator
  readonly search: TextSearch | null
  readonly similarity: Similarity | null
  /** Whether long records are shown in full unless the user has collapsed them. */
  readonly isExpanded: boolean
  /** Whether records are shown as rows with one line per field. Records that the user has opened aren't shown as rows. */
  readonly isCompact: boolean
  readonly onToggle: (id: string, upTo: boolean) => void
  readonly onInclude: (id: string) => void
  readonly onFindSimilar: (similarity: Similarity) => void
}

type Props = CardParts & {
  readonly item: ListItem
  readonly place: number
  /**
   * Words that screen readers read before the position (`name`) and before the score (`scoreName`). The list creates them once
   * for all cards.
   */
  readonly name: string
  readonly scoreName: string
  readonly score: number | null
  readonly isSelected: boolean
  readonly isSelectable: boolean
  /** Whether the Tab key reaches this card's checkbox. It reaches only one checkbox of the list. */
  readonly isCurrent: boolean
  /** Whether the card is one of the first on the page. If so, it is rendered in full immediately. */
  readonly isFirst: boolean
}

/** Elements that handle a click themselves: controls, and text in which answers are marked. */
const interactiveElements =
  'button, a[href], input, textarea, select, summary, iframe, label, [role=button], [data-span-text], dialog, [popover]'
const isCardTarget = ({ target }: MouseEvent): boolean => target instanceof Element && !target.closest(interactiveElements)

const nothing = (): void => {}

const EditedMark = ({ item, annotator }: Pick<Props, 'item' | 'annotator'>) => {
  const { t } = useTranslation('features/annotate')
  const form = annotator.formOf(item)
  const { isEdited } = useSyncExternalStore(form.subscribe, form.snapshot)
  return (
    isEdited && (
      <span className={styles['edited']}>
        <EditIcon size={14} />
        {t('bulk.edited')}
      </span>
    )
  )
}

// Memoized, so that selecting a card renders only its checkbox again. A page of a thousand records can be selected at once.
const CardName = memo(({ name, place }: Pick<Props, 'name' | 'place'>) => (
  <>
    <VisuallyHidden>{name}</VisuallyHidden> {formatCount(place)}
  </>
))

type MarksProps = Pick<Props, 'item' | 'annotator' | 'fields' | 'questions' | 'scoreName' | 'score' | 'onFindSimilar'> & {
  readonly isNear: boolean
  /** Null for a record that can't be selected. */
  readonly status: ReturnType<Annotator['statusOf']> | null
}

const CardMarks = memo(({ item, annotator, fields, questions, scoreName, score, isNear, status, onFindSimilar }: MarksProps) => (
  <>
    {isNear && <EditedMark item={item} annotator={annotator} />}
    <span className={styles['space']} />
    {score !== null && (
      <span className={styles['score']}>
        <VisuallyHidden>{scoreName}</VisuallyHidden> {formatPercent(score)}
      </span>
    )}
    {status !== null && <StatusBadge status={status} />}
    {isNear && <CardMenu record={item.record} {...{ fields, questions, annotator }} onFind={onFindSimilar} />}
  </>
))

type OpenProps = { readonly isOpened: boolean; readonly place: number; readonly onOpen: (open: boolean) => void }

const OpenButton = memo(({ isOpened, place, onOpen }: OpenProps) => {
  const { t } = useTranslation('features/annotate')
  return (
    <IconButton
      icon={isOpened ? ChevronUpIcon : ChevronDownIcon}
      label={t('bulk.openRecord', { place: formatCount(place) })}
      aria-expanded={isOpened}
      className={styles['open']}
      onClick={() => onOpen(!isOpened)}
    />
  )
})

export const RecordCard = memo((props: Props) => {
  const { item, place, name, score, scoreName, isSelected, isSelectable, isCurrent, isFirst, isExpanded, isCompact, ...parts } =
    props
  const { annotator, fields, questions, common, search, similarity, onToggle, onInclude } = parts
  const { record } = item
  const card = useRef<HTMLLIElement>(null)
  // A card far from the viewport renders only its checkbox, because a page can have a thousand records.
  const [isNear, setNear] = useState(isFirst)
  useEffect(() => {
    return isNear || !card.current ? undefined : onceNear(card.current, () => setNear(true))
  }, [isNear])
  const state = useSaveState(record.id)
  const hasIssue = state === 'rejected' || state === 'conflict'
  const [isOpened, setOpened] = useState(false)
  // A record that needs a decision is always shown in full.
  const isRow = isCompact && !isOpened && !hasIssue

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: enlarges the click target of the checkbox, which handles the keys
    <li
      ref={card}
      className={styles['card']}
      data-record={record.id}
      data-far={isNear ? undefined : ''}
      data-row={isRow ? '' : undefined}
      data-selected={isSelected ? '' : undefined}
      data-issue={hasIssue ? '' : undefined}
      onMouseDown={(event) => event.shiftKey && isCardTarget(event) && event.preventDefault()}
      onClick={(event) => {
        const isMarking = document.getSelection()?.isCollapsed === false
        if (isSelectable && isCardTarget(event) && (event.shiftKey || !isMarking)) onToggle(record.id, event.shiftKey)
      }}
    >
      <div className={styles['head']}>
        <label className={styles['name']}>
          <input
            type="checkbox"
            className={styles['box']}
            data-select-record={record.id}
            checked={isSelected}
            disabled={!isSelectable}
            tabIndex={isCurrent ? 0 : -1}
            onChange={({ nativeEvent }) =>
              onToggle(record.id, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
            }
          />
          <CardName name={name} place={place} />
        </label>
        <CardMarks
          {...{ item, annotator, fields, questions, scoreName, isNear }}
          score={similarity ? score : null}
          status={isSelectable ? null : annotator.statusOf(item)}
          onFindSimilar={parts.onFindSimilar}
        />
        {isCompact && !hasIssue && <OpenButton isOpened={isOpened} place={place} onOpen={setOpened} />}
      </div>
      {hasIssue && (
        <RecordNotice
          item={item}
          annotator={annotator}
          questions={questions}
          isEdited={false}
          isRestored={false}
          onDiscardEdits={nothing}
        />
      )}
      {isNear && isRow && <CompactBody record={record} fields={fields} common={common} />}
      {isNear && !isRow && (
        <CardBody
          record={record}
          form={annotator.formOf(item)}
          fields={fields}
          questions={questions}
          common={common}
          search={search}
          isExpanded={isExpanded}
          onInclude={onInclude}
        />
      )}
    </li>
  )
})
