import type { RecordFilterStatus } from '@postil/contract/annotation-query/grammar.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ChevronDownIcon } from '#ui/marks/first-icons.tsx'
import { StatusBadge, statusIcons } from '#ui/marks/StatusBadge.tsx'
import { VisuallyHidden } from '#ui/marks/VisuallyHidden.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuChoice } from '#ui/overlays/MenuItems.tsx'
import styles from './StatusFilter.module.css'

const statuses: readonly RecordFilterStatus[] = ['pending', 'draft', 'submitted', 'discarded']

type Props = { readonly status: RecordFilterStatus; readonly onStatus: (status: RecordFilterStatus) => void }

export const StatusFilter = ({ status, onStatus }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { t: common } = useTranslation()
  return (
    <Menu
      trigger={
        <Button look="quiet" className={styles['button']}>
          <VisuallyHidden>{t('toolbar.status')}</VisuallyHidden>
          <StatusBadge status={status} />
          <ChevronDownIcon size={14} />
        </Button>
      }
    >
      <MenuChoice
        label={t('toolbar.status')}
        value={status}
        choices={statuses.map((value) => ({ value, label: common(`status.${value}`), icon: statusIcons[value] }))}
        onChange={onStatus}
      />
    </Menu>
  )
}
