/** Whether a reader has filled in something on a part of the page: nothing that comes meanwhile takes its place. */
const differs = (field) => {
  if (field.options) return field.selectedIndex !== Math.max(0, [...field.options].findIndex((one) => one.defaultSelected));
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
};

export const isFilledIn = (part) => [...part.querySelectorAll("input:not([type=hidden]), textarea, select")].some((field) => field === document.activeElement || differs(field));
