import type { Dataset } from '@postil/contract/datasets.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import type { ReactElement } from 'react'
import { useState } from 'react'
import { useUser } from '#features/auth/service.ts'
import { loadDownloadDialog } from '#features/download/service.ts'
import { loadPushDialog } from '#features/hub/service.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { useOnDevice } from '#lib/taken/on-device.ts'
import { IconButton } from '#ui/controls/IconButton.tsx'
import type { Icon } from '#ui/marks/first-icons.tsx'
import { DownloadIcon, MoreIcon, SuitcaseIcon, UploadIcon } from '#ui/marks/icons.tsx'
import { Menu } from '#ui/overlays/Menu.tsx'
import { MenuItem } from '#ui/overlays/MenuItems.tsx'
import { toastProblem } from '#ui/telling/toast.ts'
import { useMedia } from '../../use-media.ts'

type Props = {
  readonly dataset: Dataset
  readonly questions: readonly Question[]
  /** What the page shows, by everyone's answers; null when it shows everything. */
  readonly search: SearchBodyInput | null
  /** Whether the data may leave the instance: owners and admins. */
  readonly mayTakeOut: boolean
}
type Drawn = (onClose: () => void) => ReactElement
type Action = {
  readonly icon: Icon
  readonly label: string
  /** What is so already: a number, and the same in words. */
  readonly mark?: { readonly short: string; readonly words: string } | null
  readonly load: () => Promise<Drawn>
}

/** From here on the name of the dataset needs the room that buttons would take: they are in one menu. */
const narrow = '(max-width: 40rem)'

/** What can be done with a dataset as a whole. The dialogs come with the first press: few visits need them. */
export const DatasetActions = ({ dataset, questions, search, mayTakeOut }: Props) => {
  const { t } = useTranslation('features/annotate')
  const isNarrow = useMedia(narrow)
  const [shown, setShown] = useState<{ readonly draw: Drawn } | null>(null)
  const close = (): void => setShown(null)
  const isReady = dataset.status === 'ready'
  const here = useOnDevice(useUser().id).get(dataset.id) ?? 0

  const download: Action = {
    icon: DownloadIcon,
    label: t('download'),
    load: async () => {
      const Dialog = await loadDownloadDialog()
      return (onClose) => <Dialog datasetId={dataset.id} questions={questions} search={search} onClose={onClose} />
    },
  }
  const push: Action = {
    icon: UploadIcon,
    label: t('push'),
    load: async () => {
      const Dialog = await loadPushDialog()
      return (onClose) => <Dialog datasetId={dataset.id} datasetName={dataset.name} onClose={onClose} />
    },
  }
  const takeAlong: Action = {
    icon: SuitcaseIcon,
    label: t('take.title'),
    mark: here > 0 ? { short: formatCount(here), words: t('take.mark', { formatted: formatCount(here) }) } : null,
    load: async () => {
      const { TakeAlongDialog } = await import('../../taken/TakeAlongDialog.tsx')
      return (onClose) => <TakeAlongDialog dataset={dataset} onClose={onClose} />
    },
  }
  const actions = [...(mayTakeOut ? [download] : []), ...(mayTakeOut && isReady ? [push] : []), ...(isReady ? [takeAlong] : [])]
  const open = (load: Action['load']): void => {
    load().then(
      (draw) => setShown({ draw }),
      // The files of the page did not come: the server is out of reach.
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
              title={name}
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
