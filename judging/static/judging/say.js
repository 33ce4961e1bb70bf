// Sentences of scripts in the page's language: what words/<language>.js gives, which no English page loads, else as they
// stand here. Fields are written %(name)s (docs/develop/decisions/13-languages.md).
(() => {
  "use strict";
  const filled = (text, fields) => text.replace(/%\((\w+)\)s/g, (_, name) => fields[name]);
  window.gettext ||= (text) => text;
  window.ngettext ||= (one, many, number) => (number === 1 ? one : many);
  window.gettextWith = (text, fields) => filled(window.gettext(text), fields);
  window.ngettextWith = (one, many, number, fields = {}) => filled(window.ngettext(one, many, number), {number, ...fields});
})();
