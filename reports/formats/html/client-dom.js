// Runs first in each page. Whatever came from a target is set as text, never as markup.
const $ = (id) => document.getElementById(id);
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
};
// A state of a square in words, as the legend has it.
const stateWords = (state) =>
  document.querySelector(`.legend .${state}`)?.parentElement.lastChild.textContent.trim() ?? state;
