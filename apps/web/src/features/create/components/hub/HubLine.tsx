import { maxHubRows } from '@postil/contract/files/hub.ts'
import { Link } from '@tanstack/react-router'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { buttonClass } from '#ui/controls/button-class.ts'
import { FileIcon } from '#ui/marks/icons.tsx'
import { Notice } from '#ui/telling/Notice.tsx'
import type { HubPart, Place, Wanted } from '../../use-hub-source.ts'
import { LabelledSelect } from '../sections/Labelled.tsx'
import styles from '../source/FileLine.module.css'

type Props = HubPart & {
  /** What was asked for, which need not be there; null: anything. */
  readonly wanted: Wanted
  readonly onPlace: (place: Place) => void
}

const choices = (names: readonly string[]) => [...new Set(names)].map((name) => ({ value: name, label: name }))

/** The dataset of the hub that records come from, and which part of it. */
export const HubLine = ({ repository, preview, place, wanted, onPlace }: Props) => {
  const { t } = useTranslation('features/hub')
  const { name, splits } = repository
  const subsets = choices(splits.map(({ subset }) => subset))
  const splitsOf = (subset: string) => choices(splits.filter((one) => one.subset === subset).map(({ split }) => split))
  const limit = formatCount(maxHubRows)
  const { all, total } = preview
  const taken =
    all !== null && all > maxHubRows
      ? t('source.limitOf', { count: all, all: formatCount(all), limit })
      : total === maxHubRows
        ? t('source.limit', { limit })
        : t('source.total', { count: total, formatted: formatCount(total), limit })
  const about = [
    t('source.columns', { count: preview.columns.length }),
    ...(repository.private ? [t('source.private')] : []),
    ...(repository.gated ? [t('source.gated')] : []),
  ]
  const isOther = (part: 'subset' | 'split'): boolean => wanted[part] !== null && wanted[part] !== place[part]
  const missing = isOther('subset')
    ? t('source.noSubset', { wanted: wanted.subset ?? '', shown: place.subset })
    : isOther('split') && t('source.noSplit', { wanted: wanted.split ?? '', shown: place.split })
  return (
    <>
      <div className={styles['line']}>
        <FileIcon />
        <span className={styles['name']}>
          <bdi>{name}</bdi> <span className={styles['size']}>{about.join(', ')}</span>
        </span>
        <Link to="/new/{-$datasetId}" className={buttonClass('quiet')}>
          {t('source.another')}
        </Link>
      </div>
      {missing && <Notice kind="warning">{missing}</Notice>}
      {splits.length > 1 && (
        <div className={styles['places']}>
          {subsets.length > 1 && (
            <LabelledSelect
              label={t('source.subset')}
              value={place.subset}
              options={subsets}
              onChange={(subset) => onPlace({ subset, split: splitsOf(subset)[0]?.value ?? '' })}
            />
          )}
          {splitsOf(place.subset).length > 1 && (
            <LabelledSelect
              label={t('source.split')}
              value={place.split}
              options={splitsOf(place.subset)}
              onChange={(split) => onPlace({ ...place, split })}
            />
          )}
        </div>
      )}
      <p className={styles['hint']}>{taken}</p>
    </>
  )
}
