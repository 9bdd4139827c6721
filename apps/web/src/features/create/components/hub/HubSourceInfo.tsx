import { maxHubRows } from '@postil/contract/files/hub.ts'
import { Link } from '@tanstack/react-router'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { buttonClass } from '#ui/controls/button-class.ts'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { FileIcon } from '#ui/marks/icons.tsx'
import type { HubPart, RequestedSplit, SplitRef } from '../../use-hub-source.ts'
import styles from '../source/FileLine.module.css'

type Props = HubPart & {
  /** The requested subset and split, which may not exist. If one of them is null, any subset or any split is accepted. */
  readonly wanted: RequestedSplit
  readonly onPartChange: (place: SplitRef) => void
}

const selectOptions = (names: readonly string[]) => [...new Set(names)].map((name) => ({ value: name, label: name }))

export const HubSourceInfo = ({ repository, preview, place, wanted, onPartChange }: Props) => {
  const { t } = useTranslation('features/hub')
  const { name, splits } = repository
  const subsets = selectOptions(splits.map(({ subset }) => subset))
  const splitsOf = (subset: string) => selectOptions(splits.filter((one) => one.subset === subset).map(({ split }) => split))
  const limit = formatCount(maxHubRows)
  const { all, total } = preview
  const rowLimitText =
    all !== null && all > maxHubRows
      ? t('source.limitOf', { count: all, all: formatCount(all), limit })
      : total === maxHubRows
        ? t('source.limit', { limit })
        : t('source.total', { count: total, formatted: formatCount(total), limit })
  const summary = [
    t('source.columns', { count: preview.columns.length }),
    ...(repository.private ? [t('source.private')] : []),
    ...(repository.gated ? [t('source.gated')] : []),
  ]
  const isSubstituted = (part: 'subset' | 'split'): boolean => wanted[part] !== null && wanted[part] !== place[part]
  const missingText = isSubstituted('subset')
    ? t('source.noSubset', { wanted: wanted.subset ?? '', shown: place.subset })
    : isSubstituted('split') && t('source.noSplit', { wanted: wanted.split ?? '', shown: place.split })
  return (
    <>
      <div className={styles['line']}>
        <FileIcon />
        <span className={styles['name']}>
          <bdi>{name}</bdi> <span className={styles['size']}>{summary.join(', ')}</span>
        </span>
        <Link to="/new/{-$datasetId}" className={buttonClass('quiet')}>
          {t('source.another')}
        </Link>
      </div>
      {missingText && <Notice kind="warning">{missingText}</Notice>}
      {splits.length > 1 && (
        <div className={styles['places']}>
          {subsets.length > 1 && (
            <LabelledSelect
              label={t('source.subset')}
              value={place.subset}
              options={subsets}
              onChange={(subset) => onPartChange({ subset, split: splitsOf(subset)[0]?.value ?? '' })}
            />
          )}
          {splitsOf(place.subset).length > 1 && (
            <LabelledSelect
              label={t('source.split')}
              value={place.split}
              options={splitsOf(place.subset)}
              onChange={(split) => onPartChange({ ...place, split })}
            />
          )}
        </div>
      )}
      <p className={styles['hint']}>{rowLimitText}</p>
    </>
  )
}
