import type { Home } from '@postil/contract/home.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { FileIcon, GlobeIcon, KeyboardIcon, PlusIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem, MenuSeparator } from '#ui/overlays/MenuItems.tsx'
import { PythonDialog } from './PythonDialog.tsx'

type Props = { readonly home: Home; readonly align?: 'start' | 'end' }

export const NewDatasetMenu = ({ home, align = 'end' }: Props) => {
  const { t } = useTranslation('features/home')
  const navigate = useNavigate()
  const [isPythonOpen, setPythonOpen] = useState(false)
  const start = (from: 'file' | 'hub' | 'scratch') => () =>
    void navigate({ to: '/new/{-$datasetId}', params: {}, search: { from } })
  return (
    <>
      <Menu
        align={align}
        trigger={
          <Button look="primary" size="main" icon={PlusIcon}>
            {t('newDataset')}
          </Button>
        }
      >
        <MenuItem icon={FileIcon} onSelect={start('file')}>
          {t('from.file')}
        </MenuItem>
        <MenuItem icon={GlobeIcon} onSelect={start('hub')}>
          {t('from.hub')}
        </MenuItem>
        <MenuItem icon={PlusIcon} onSelect={start('scratch')}>
          {t('from.scratch')}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={KeyboardIcon} onSelect={() => setPythonOpen(true)}>
          {t('from.python')}
        </MenuItem>
      </Menu>
      <PythonDialog home={home} open={isPythonOpen} onOpenChange={setPythonOpen} />
    </>
  )
}
