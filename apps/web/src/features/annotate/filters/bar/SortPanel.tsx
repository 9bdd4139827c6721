import type { SortKey } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { metadataPropertiesQuery } from '#lib/api/dataset-queries.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { ArrowDownIcon, ArrowUpIcon, PlusIcon } from '#ui/marks/icons.tsx'
import type { SortGroup } from '../sort-keys.ts'
import { maxSortKeys, reverseOrder, sortGroups, sortId, unusedGroups } from '../sort-keys.ts'
import type { FilterTexts } from '../use-filter-texts.ts'
import { useFilterTexts } from '../use-filter-texts.ts'
import { useSeesSuggestions } from '../use-sees-suggestions.ts'
import styles from './SortPanel.module.css'

type Props = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  readonly sort: readonly SortKey[]
  readonly onChange: (sort: readonly SortKey[]) => void
}

/** Returns a sort key's group. For suggestions, the group depends on the property that the key sorts by. */
const groupOf = ({ entity, property }: SortKey): SortGroup['id'] => {
  if (entity === 'suggestion') return property === 'score' ? 'suggestionScore' : 'suggestionValue'
  return ({ record: 'general', metadata: 'metadata', response: 'responseValue' } as const)[entity]
}

type ChoicesProps = {
  readonly groups: readonly SortGroup[]
  readonly titleOf: FilterTexts['sortTitle']
  readonly onPick: (key: SortKey) => void
}

const Choices = ({ groups, titleOf, onPick }: ChoicesProps) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  return groups.map((group) => (
    <section key={group.id} className={styles['group']} aria-labelledby={`${id}-${group.id}`}>
      <h2 id={`${id}-${group.id}`} className={styles['groupTitle']}>
        {t(`sort.group.${group.id}`)}
      </h2>
      <ul>
        {group.keys.map((key) => (
          <li key={sortId(key)}>
            <button type="button" className={styles['choice']} onClick={() => onPick(key)}>
              <bdi>{titleOf(key)}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  ))
}

export const SortPanel = ({ datasetId, questions, sort, onChange }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { data: properties } = useQuery(metadataPropertiesQuery(datasetId))
  const { sortTitle } = useFilterTexts({ datasetId, questions, includeMetadata: true })
  const [isAdding, setAdding] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const seesSuggestions = useSeesSuggestions(datasetId)
  const left = unusedGroups(sortGroups({ questions, properties: properties ?? [], seesSuggestions }), sort)
  const canAdd = left.length > 0 && sort.length < maxSortKeys

  /** The pressed button disappears, so the focus moves to the panel. */
  const stay = (): void => root.current?.focus()
  const pick = (key: SortKey): void => {
    onChange([...sort, key])
    setAdding(false)
    stay()
  }
  const remove = (at: number): void => {
    onChange(sort.filter((_, index) => index !== at))
    stay()
  }

  return (
    <div ref={root} tabIndex={-1} className={styles['sort']}>
      {sort.length > 0 && (
        <ol className={styles['keys']} aria-label={t('sort.keys')}>
          {sort.map((key, at) => {
            const title = sortTitle(key)
            const kind = t(`sort.group.${groupOf(key)}`)
            const names = { title: `${title}, ${kind}` }
            return (
              <li key={sortId(key)} className={styles['key']}>
                <span className={styles['title']}>
                  <bdi>{title}</bdi>
                  {key.entity !== 'record' && <span className={styles['kind']}>{kind}</span>}
                </span>
                <Button
                  look="quiet"
                  icon={key.order === 'asc' ? ArrowUpIcon : ArrowDownIcon}
                  aria-label={key.order === 'asc' ? t('sort.isAscending', names) : t('sort.isDescending', names)}
                  onClick={() => onChange(reverseOrder(sort, at))}
                >
                  {key.order === 'asc' ? t('sort.ascending') : t('sort.descending')}
                </Button>
                <IconButton icon={CloseIcon} label={t('sort.remove', names)} onClick={() => remove(at)} />
              </li>
            )
          })}
        </ol>
      )}
      {sort.length > 0 && canAdd && (
        <Button
          look="quiet"
          icon={PlusIcon}
          className={styles['add']}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          {t('sort.add')}
        </Button>
      )}
      {canAdd && (isAdding || sort.length === 0) && <Choices groups={left} titleOf={sortTitle} onPick={pick} />}
    </div>
  )
}
