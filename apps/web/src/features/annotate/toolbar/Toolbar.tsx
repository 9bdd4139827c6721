import type { AnnotationQuery, RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import type { Field } from '@postil/contract/fields.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { keyShortcuts } from '#lib/keys/caps.ts'
import { useBindings } from '#lib/keys/use-bindings.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { BookIcon, FilterIcon, KeyboardIcon } from '#ui/marks/icons.tsx'
import type { ListSnapshot } from '../queue/list-item.ts'
import { Pager } from './Pager.tsx'
import { StatusFilter } from './StatusFilter.tsx'
import { TextSearch } from './TextSearch.tsx'
import styles from './Toolbar.module.css'
import { ViewToggle } from './ViewToggle.tsx'

type Props = {
  readonly query: AnnotationQuery
  readonly fields: readonly Field[]
  readonly shown: ListSnapshot
  readonly guidelinesOpen: boolean
  /**
   * The state of the line below the toolbar on a phone: whether the line is open, and how many filters and sort keys are
   * active. Null on other devices.
   */
  readonly fold: { readonly isOpen: boolean; readonly count: number; readonly onToggle: () => void } | null
  readonly onStatus: (status: RecordFilterStatus) => void
  readonly onSearch: (search: AnnotationQuery['search']) => void
  readonly onBulk: (bulk: boolean) => void
  readonly onGuidelines: () => void
  readonly onHelp: () => void
  readonly onNext: () => void
  readonly onPrevious: () => void
}

export const GuidelinesButton = ({ isOpen, onClick }: { readonly isOpen: boolean; readonly onClick: () => void }) => {
  const { t } = useTranslation('features/annotate')
  return <IconButton icon={BookIcon} label={t('guidelines.title')} showsLabel pressed={isOpen} onClick={onClick} />
}

/** The controls for the list and the position in it. */
export const Toolbar = ({ query, fields, shown, guidelinesOpen, fold, ...on }: Props) => {
  const { t } = useTranslation('features/annotate')
  const keys = useBindings()
  const isBulk = query.page.mode === 'bulk'
  return (
    <div className={styles['toolbar']}>
      <StatusFilter status={query.status} onStatus={on.onStatus} />
      <TextSearch search={query.search} fields={fields} onSearch={on.onSearch} />
      <span className={styles['space']} />
      <div className={styles['tools']}>
        {fold ? (
          <IconButton
            icon={FilterIcon}
            label={fold.count > 0 ? `${t('toolbar.tools')}: ${formatCount(fold.count)}` : t('toolbar.tools')}
            count={fold.count > 0 ? formatCount(fold.count) : undefined}
            aria-expanded={fold.isOpen}
            onClick={fold.onToggle}
          />
        ) : (
          <GuidelinesButton isOpen={guidelinesOpen} onClick={on.onGuidelines} />
        )}
        <IconButton
          icon={KeyboardIcon}
          label={t('shortcuts.title')}
          showsLabel
          aria-keyshortcuts={keyShortcuts(keys.help)}
          className={styles['keyboard']}
          onClick={on.onHelp}
        />
        {query.status === 'pending' && (shown.item !== null || isBulk) && <ViewToggle isBulk={isBulk} onBulk={on.onBulk} />}
      </div>
      <Pager shown={shown} status={query.status} isBulk={isBulk} onNext={on.onNext} onPrevious={on.onPrevious} />
    </div>
  )
}
