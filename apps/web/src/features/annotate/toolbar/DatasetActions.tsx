import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import type { ReactElement } from 'react'
import { useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { loadDownloadDialog } from '#features/download/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { useOfflineCounts } from '#lib/offline/use-offline-counts.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import type { Icon } from '#ui/marks/first-icons.tsx'
import { DownloadIcon, MoreIcon, SuitcaseIcon, UploadIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import { useMedia } from '#ui/page/use-media.ts'
import styles from './DatasetActions.module.css'

type Props = {
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  /** The current search, applied to everyone's answers. Null if there is no search, filter or sorting. */
  readonly search: SearchBodyInput | null
  readonly canExport: boolean
}
type OpenDialog = (onClose: () => void) => ReactElement
type Action = {
  readonly icon: Icon
  readonly label: string
  /** A badge with the current state: `short` is a number, and `words` is text with the same number. */
  readonly mark?: { readonly short: string; readonly words: string } | null
  readonly load: () => Promise<OpenDialog>
}

/** Below this width, the actions move into a menu to make space for the dataset's name. */
const narrow = '(max-width: 40rem)'

/** The actions on a dataset. The dialogs load on the first click, because few visits need them. */
export const DatasetActions = ({ dataset, fields, questions, search, canExport }: Props) => {
  const { t } = useTranslation('features/annotate')
  const isNarrow = useMedia(narrow)
  const [shown, setShown] = useState<{ readonly draw: OpenDialog } | null>(null)
  const close = (): void => setShown(null)
  const isOfflineReady = dataset.status === 'ready'
  const onDeviceCount = useOfflineCounts(useUser().id).get(dataset.id) ?? 0

  const download: Action = {
    icon: DownloadIcon,
    label: t('download'),
    load: async () => {
      const Dialog = await loadDownloadDialog()
      return (onClose) => (
        <Dialog datasetId={dataset.id} fields={fields} questions={questions} search={search} onClose={onClose} />
      )
    },
  }
  const push: Action = {
    icon: UploadIcon,
    label: t('push'),
    load: async () => {
      const { loadPushDialog } = await import('#features/hub/public.ts')
      const Dialog = await loadPushDialog()
      return (onClose) => <Dialog datasetId={dataset.id} datasetName={dataset.name} onClose={onClose} />
    },
  }
  const saveOfflineAction: Action = {
    icon: SuitcaseIcon,
    label: t('take.title'),
    mark:
      onDeviceCount > 0
        ? { short: formatCount(onDeviceCount), words: t('take.mark', { formatted: formatCount(onDeviceCount) }) }
        : null,
    load: async () => {
      const { OfflineDialog } = await import('../offline/OfflineDialog.tsx')
      return (onClose) => <OfflineDialog dataset={dataset} onClose={onClose} />
    },
  }
  const actions = [
    ...(canExport ? [download] : []),
    ...(canExport && isOfflineReady ? [push] : []),
    ...(isOfflineReady ? [saveOfflineAction] : []),
  ]
  const open = (load: Action['load']): void => {
    load().then(
      (draw) => setShown({ draw }),
      // The code of the dialog couldn't be loaded, because the server is unreachable.
      () => toastProblem(new ApiError(0, undefined)),
    )
  }

  return (
    <>
      {isNarrow && actions.length > 1 ? (
        <Menu align="end" trigger={<IconButton data-more="" icon={MoreIcon} label={t('more')} />}>
          {actions.map((action) => (
            <MenuItem key={action.label} icon={action.icon} end={action.mark?.words} onSelect={() => open(action.load)}>
              {action.label}
            </MenuItem>
          ))}
        </Menu>
      ) : (
        actions.map(({ icon, label, mark, load }) => {
          const name = mark ? `${label}: ${mark.words}` : label
          return (
            <IconButton
              key={label}
              data-action=""
              icon={icon}
              label={name}
              tooltipSide="bottom"
              showsLabel={!mark}
              className={styles['action']}
              count={mark?.short}
              onClick={() => open(load)}
            />
          )
        })
      )}
      {shown?.draw(close)}
    </>
  )
}
