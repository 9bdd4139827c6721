import { useTranslation } from '#i18n/use-translation.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { ListIcon, RecordIcon } from '#ui/marks/icons.tsx'
import styles from './ViewToggle.module.css'

type Props = { readonly isBulk: boolean; readonly onBulk: (bulk: boolean) => void }

/** Switches between the focus view and the bulk view. */
export const ViewToggle = ({ isBulk, onBulk }: Props) => {
  const { t } = useTranslation('features/annotate')
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for inputs
    <div role="group" aria-label={t('view.name')} className={styles['toggle']}>
      <IconButton icon={RecordIcon} label={t('view.focus')} pressed={!isBulk} onClick={() => isBulk && onBulk(false)} />
      <IconButton icon={ListIcon} label={t('view.bulk')} pressed={isBulk} onClick={() => !isBulk && onBulk(true)} />
    </div>
  )
}
