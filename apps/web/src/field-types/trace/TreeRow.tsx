import { memo } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ChevronRightIcon } from '#ui/marks/icons.tsx'
import { formatStepDuration } from './format-step.ts'
import styles from './Trace.module.css'
import type { TreeRow } from './tree.ts'

/** Handlers for presses on a row. The object stays the same, so that only changed rows are rendered again. */
export type RowHandlers = {
  readonly show: (index: number) => void
  readonly fold: (index: number, isFolded: boolean) => void
}

type Props = {
  readonly id: string
  readonly row: TreeRow
  readonly top: number
  readonly height: number
  readonly isShown: boolean
  readonly isFolded: boolean
  readonly isAsked: boolean
  readonly labels: string
  readonly on: RowHandlers
}

/** Steps that are nested more deeply aren't indented further. */
const maxIndent = 12

/** A step in the tree. The tree, not the row, handles keys. */
export const Row = memo(({ id, row, top, height, isShown, isFolded, isAsked, labels, on }: Props) => {
  const { t } = useTranslation('field-types/trace')
  const { step, depth, hasChildren, place, siblings, index } = row
  const { kind, error, duration_ms: duration } = step
  const name = step.name || t('unnamed')
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names its active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles keys
    <div
      id={id}
      role="treeitem"
      className={styles['row']}
      style={{ top, height, paddingInlineStart: `${Math.min(depth, maxIndent) * 0.75 + 0.25}rem` }}
      aria-level={depth + 1}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-selected={isShown}
      aria-expanded={hasChildren ? !isFolded : undefined}
      onClick={() => on.show(index)}
    >
      <span
        className={styles['fold']}
        data-open={!isFolded}
        aria-hidden="true"
        onClick={(event) => {
          if (!hasChildren) return
          event.stopPropagation()
          on.fold(index, !isFolded)
        }}
      >
        {hasChildren && <ChevronRightIcon />}
      </span>
      <span className={styles['kind']} data-kind={kind}>
        {t(`kind.${kind}`)}
      </span>
      <bdi className={styles['name']} data-error={error !== undefined}>
        {name}
      </bdi>
      {error !== undefined && <span className="visually-hidden">{t('error')}</span>}
      {isAsked && (
        <bdi className={styles['label']} data-open={labels === ''}>
          {labels}
        </bdi>
      )}
      {duration !== undefined && <span className={styles['duration']}>{formatStepDuration(duration)}</span>}
    </div>
  )
})
