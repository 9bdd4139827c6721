import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { MouseEvent } from 'react'
import { memo, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { formatCount, formatPercent } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useSaveState } from '#lib/outbox/use-outbox.ts'
import type { Similarity, TextSearch } from '#lib/url/grammar.ts'
import { EditIcon } from '#ui/marks/icons.tsx'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import type { Annotator } from '../annotator.ts'
import { RecordNotice } from '../components/record/RecordNotice.tsx'
import type { QueueItem } from '../queue/item.ts'
import { CardBody } from './CardBody.tsx'
import { CardMenu } from './CardMenu.tsx'
import { whenNear } from './near.ts'
import styles from './RecordCard.module.css'

/** What every card of a list is given alike. */
export type CardParts = {
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  /** The questions that are asked in the form. */
  readonly common: readonly Question[]
  readonly annotator: Annotator
  readonly search: TextSearch | null
  readonly similarity: Similarity | null
  /** Whether long records are shown in full unless one is folded by hand. */
  readonly isWhole: boolean
  readonly onToggle: (id: string, upTo: boolean) => void
  readonly onInclude: (id: string) => void
  readonly onFindSimilar: (similarity: Similarity) => void
}

type Props = CardParts & {
  readonly item: QueueItem
  readonly place: number
  /** What is read before its place, and before its score; the list has them for all of its cards. */
  readonly name: string
  readonly scoreName: string
  readonly score: number | null
  readonly isSelected: boolean
  readonly isSelectable: boolean
  /** The one box of the list that the Tab key reaches. */
  readonly isCurrent: boolean
  /** Among the first of the page: drawn in full at once. */
  readonly isFirst: boolean
}

/** What a press is meant for, other than its record: controls, and text in which answers are marked. */
const ownUse =
  'button, a[href], input, textarea, select, summary, iframe, label, [role=button], [data-span-text], dialog, [popover]'
const isForCard = ({ target }: MouseEvent): boolean => target instanceof Element && !target.closest(ownUse)

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

// A card that is selected draws its box anew and nothing beside it: a page of a thousand records is selected at once.
const CardName = memo(({ name, place }: Pick<Props, 'name' | 'place'>) => (
  <>
    <VisuallyHidden>{name}</VisuallyHidden> {formatCount(place)}
  </>
))

type MarksProps = Pick<Props, 'item' | 'annotator' | 'fields' | 'questions' | 'scoreName' | 'score' | 'onFindSimilar'> & {
  readonly isNear: boolean
  /** Of a record that can not be selected. */
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

/** One record of a page: a box to select it, its fields, what is suggested, and what became of its answer. */
export const RecordCard = memo((props: Props) => {
  const { item, place, name, score, scoreName, isSelected, isSelectable, isCurrent, isFirst, isWhole, ...parts } = props
  const { annotator, fields, questions, common, search, similarity, onToggle, onInclude } = parts
  const { record } = item
  const card = useRef<HTMLLIElement>(null)
  // What is far from the screen is a box to select and no more: a page may have a thousand records.
  const [isNear, setNear] = useState(isFirst)
  useEffect(() => {
    return isNear || !card.current ? undefined : whenNear(card.current, () => setNear(true))
  }, [isNear])
  const state = useSaveState(record.id)
  const isTroubled = state === 'refused' || state === 'conflict'

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a wider target for the box, which has the keys
    <li
      ref={card}
      className={styles['card']}
      data-record={record.id}
      data-far={isNear ? undefined : ''}
      data-selected={isSelected ? '' : undefined}
      data-troubled={isTroubled ? '' : undefined}
      onMouseDown={(event) => event.shiftKey && isForCard(event) && event.preventDefault()}
      onClick={(event) => {
        const isMarking = document.getSelection()?.isCollapsed === false
        if (isSelectable && isForCard(event) && (event.shiftKey || !isMarking)) onToggle(record.id, event.shiftKey)
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
      </div>
      {isTroubled && (
        <RecordNotice
          item={item}
          annotator={annotator}
          questions={questions}
          isEdited={false}
          isFromBefore={false}
          onDiscardEdits={nothing}
        />
      )}
      {isNear && (
        <CardBody
          record={record}
          form={annotator.formOf(item)}
          fields={fields}
          questions={questions}
          common={common}
          search={search}
          isWhole={isWhole}
          onInclude={onInclude}
        />
      )}
    </li>
  )
})
