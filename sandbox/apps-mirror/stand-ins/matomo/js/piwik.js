window.Matomo = {};
