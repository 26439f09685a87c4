export function footer(): string {
  return "";
}
