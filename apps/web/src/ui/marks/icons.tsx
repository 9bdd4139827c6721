import { ring, stroke } from './first-icons.tsx'

export const SearchIcon = stroke('M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z', 'M10.4 10.4L13.5 13.5')
export const ChevronUpIcon = stroke('M4 10l4-4l4 4')
export const ChevronRightIcon = stroke('M6 4l4 4l-4 4')
export const ChevronLeftIcon = stroke('M10 4L6 8l4 4')
export const ArrowUpIcon = stroke('M8 13V3', 'M4 7l4-4l4 4')
export const ArrowDownIcon = stroke('M8 3v10', 'M4 9l4 4l4-4')
export const ArrowRightIcon = stroke('M3 8h10', 'M9 4l4 4l-4 4')
export const CheckIcon = stroke('M3 8.5l3.2 3.2L13 4.8')
export const PlusIcon = stroke('M8 3v10', 'M3 8h10')
export const MinusIcon = stroke('M3 8h10')
export const SortIcon = stroke('M4.5 3v10', 'M2 10.5L4.5 13L7 10.5', 'M9.5 4h4.5', 'M9.5 8h3', 'M9.5 12h1.5')
export const FilterIcon = stroke('M2 4h12', 'M4.5 8h7', 'M7 12h2')
export const ViewsIcon = stroke('M4 2.5h8v11l-4-3l-4 3z')
export const SimilarIcon = stroke('M6.5 2.5a4 4 0 1 1 0 8a4 4 0 1 1 0-8z', 'M9.5 5.5a4 4 0 1 1 0 8a4 4 0 1 1 0-8z')
export const MoreIcon = stroke('M8 3.5v.01', 'M8 8v.01', 'M8 12.5v.01')
export const HistoryIcon = stroke('M2.5 4v3h3', 'M2.75 6.75A5.5 5.5 0 1 1 2.6 9.5', 'M8 5v3.25l2.25 1.5')
export const ClockIcon = stroke('M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11z', 'M8 5v3.25l2.25 1.5')
export const CopyIcon = stroke('M5.5 5.5h7.5v7.5H5.5z', 'M10.5 5.5V3H3v7.5h2.5')
export const UserIcon = stroke(
  'M8 2.25a2.75 2.75 0 1 1 0 5.5a2.75 2.75 0 1 1 0-5.5z',
  'M2.75 13.75c.5-2.6 2.6-4 5.25-4s4.75 1.4 5.25 4',
)
export const EyeIcon = stroke(
  'M1.5 8S4 3.5 8 3.5S14.5 8 14.5 8S12 12.5 8 12.5S1.5 8 1.5 8z',
  'M8 6.25a1.75 1.75 0 1 1 0 3.5a1.75 1.75 0 1 1 0-3.5z',
)
export const PendingIcon = stroke(ring)
export const DraftIcon = stroke(ring, 'M8 1.75v12.5', 'M8 5h4.9', 'M8 8h6', 'M8 11h5')
export const DiscardedIcon = stroke(ring, 'M3.6 3.6l8.8 8.8')
export const CompletedIcon = stroke('M1.5 8.5l3 3L11 5', 'M7.6 11.3l.2.2L14.5 5')
export const SuggestionIcon = stroke(
  'M8 1.75c.6 3.6 2.1 5.2 6.25 6.25C10.1 9.05 8.6 10.65 8 14.25C7.4 10.65 5.9 9.05 1.75 8C5.9 6.95 7.4 5.35 8 1.75z',
)
export const UndoIcon = stroke('M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6', 'M6 3.5l-3 3l3 3')
export const KeyboardIcon = stroke('M1.5 4h13v8h-13z', 'M4.5 6.75v.01', 'M8 6.75v.01', 'M11.5 6.75v.01', 'M5 9.5h6')
export const SunIcon = stroke(
  'M8 5a3 3 0 1 1 0 6a3 3 0 1 1 0-6z',
  'M8 1v1.5',
  'M8 13.5V15',
  'M1 8h1.5',
  'M13.5 8H15',
  'M3 3l1 1',
  'M12 12l1 1',
  'M13 3l-1 1',
  'M4 12l-1 1',
)
export const MoonIcon = stroke('M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z')
export const ContrastIcon = stroke(ring, 'M8 1.75v12.5', 'M10 3v10', 'M12 4.5v7')
export const ScreenIcon = stroke('M1.75 3h12.5v8H1.75z', 'M5.5 13.5h5')
export const GlobeIcon = stroke(
  ring,
  'M1.75 8h12.5',
  'M8 1.75c2 1.6 2.75 3.7 2.75 6.25S10 12.65 8 14.25C6 12.65 5.25 10.55 5.25 8S6 3.35 8 1.75z',
)
export const BookIcon = stroke(
  'M8 4C6.5 2.9 4.5 2.6 2 2.75v9.5c2.5-.15 4.5.15 6 1.25c1.5-1.1 3.5-1.4 6-1.25v-9.5C11.5 2.6 9.5 2.9 8 4z',
  'M8 4v9.5',
)
export const SignOutIcon = stroke('M6.5 2.5H3v11h3.5', 'M7 8h7', 'M11 5l3 3l-3 3')
export const OfflineIcon = stroke(
  'M2 2l12 12',
  'M1.5 6.2A9.6 9.6 0 0 1 4.2 4.5',
  'M7.2 3.6c2.7-.2 5.3.7 7.3 2.6',
  'M3.9 8.8A6 6 0 0 1 6 7.4',
  'M9.6 7.3c.9.3 1.8.8 2.5 1.5',
  'M8 12.2v.01',
)
export const SuitcaseIcon = stroke('M2 5.25h12v8H2z', 'M5.75 5.25V3h4.5v2.25', 'M2 9h12')
export const FolderIcon = stroke('M1.75 3.5h4.5l1.5 1.75h6.5v7.25H1.75z')
export const ListIcon = stroke('M2 4h12', 'M2 8h12', 'M2 12h12')
export const RowsIcon = stroke('M2 3h12', 'M2 6.33h12', 'M2 9.67h12', 'M2 13h12')
export const FileIcon = stroke('M9.25 2H3.75v12h8.5V5z', 'M9.25 2v3h3')
export const RecordIcon = stroke('M2 3h12v10H2z')
export const TrashIcon = stroke('M2.5 4h11', 'M6 4V2.5h4V4', 'M4 4l.7 9.5h6.6L12 4', 'M6.75 6.75v4', 'M9.25 6.75v4')
export const CommentIcon = stroke('M2 3h12v8H7.5L4.5 13.5V11H2z')
export const EditIcon = stroke('M10.5 2.75l2.75 2.75L5.5 13.25l-3.25.5l.5-3.25z')
export const SaveIcon = stroke('M2.5 2.5h8.5l2.5 2.5v8.5h-11z', 'M5 2.5v3.5h5V2.5', 'M4.75 13.5V9h6.5v4.5')
export const ExpandIcon = stroke('M8 6.5V2', 'M5.5 4.5L8 2l2.5 2.5', 'M8 9.5V14', 'M5.5 11.5L8 14l2.5-2.5')
export const FoldIcon = stroke('M8 1.5V6', 'M5.5 3.5L8 6l2.5-2.5', 'M8 14.5V10', 'M5.5 12.5L8 10l2.5 2.5')
export const GripIcon = stroke('M6 4v.01', 'M10 4v.01', 'M6 8v.01', 'M10 8v.01', 'M6 12v.01', 'M10 12v.01')
export const GearIcon = stroke(
  'M6.69 3.49L6.98 1.58L9.02 1.58L9.31 3.49L10.26 3.88L11.82 2.74L13.26 4.18L12.12 5.74L12.51 6.69L14.42 6.98L14.42 9.02L12.51 9.31L12.12 10.26L13.26 11.82L11.82 13.26L10.26 12.12L9.31 12.51L9.02 14.42L6.98 14.42L6.69 12.51L5.74 12.12L4.18 13.26L2.74 11.82L3.88 10.26L3.49 9.31L1.58 9.02L1.58 6.98L3.49 6.69L3.88 5.74L2.74 4.18L4.18 2.74L5.74 3.88z',
  'M8 6a2 2 0 1 1 0 4a2 2 0 1 1 0-4z',
)
export const HourglassIcon = stroke('M3.5 2h9', 'M3.5 14h9', 'M4.75 2v2.25L8 8l3.25-3.75V2', 'M4.75 14v-2.25L8 8l3.25 3.75V14')
export const DownloadIcon = stroke('M8 2.5v7.5', 'M4.75 7 8 10.25 11.25 7', 'M2.75 13.25h10.5')
export const UploadIcon = stroke('M8 10.25V2.75', 'M4.75 6 8 2.75 11.25 6', 'M2.75 13.25h10.5')
